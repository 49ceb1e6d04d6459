import { expect, test as base } from "@playwright/test";
export { expect };

type Text = string | null;
type Time = Text | { ago: string };

export interface Campaign {
  id?: Text;
  name?: Text;
  status?: Text;
  created_at?: Time;
  updated_at?: Time;
  omit?: string[];
  extra?: object;
}

/** A scripted answer. The server plays it for one request, unless `times` says more. */
export interface Reply {
  times?: number | "always";
  delay?: string;
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: unknown;
  campaigns?: Campaign[];
  /** The name of an answer under `responses` in the settings of the service. */
  response?:
    | "missing_token"
    | "invalid_token"
    | "not_found"
    | "method_not_allowed"
    | "rate_limited";
  fault?:
    | "reset"
    | "close"
    | "hang"
    | "truncate"
    | "stall"
    | "bad_json"
    | "wrong_type";
}

/** What a token sees. Without `campaigns` and `generate`, it sees an empty list. */
export interface User {
  description?: string;
  campaigns?: Campaign[];
  generate?: { count?: number; edge_cases?: "all" | "texts" | "dates" | "types" };
  delay?: string;
  rate_limit?: { requests: number; per: string };
  replies?: Reply[];
  repeat?: boolean;
}

/** The values of each header, by its name as HTTP/1.1 spells it: `header["User-Agent"]`. */
export type Header = Record<string, string[]>;

/** The part of an answer that the journal holds. */
export interface Answer {
  header: Header | null;
  /** The start of the body, up to 4 KiB. It is "" if the server passed the request on. */
  body: string;
  /** The length of the whole body, in bytes. */
  bytes: number;
  /** How many bytes of the body were sent: fewer if a fault or the client ended the answer. */
  sent: number;
}

/** What is wrong with a request that the app has sent, and what to change. */
export interface Advice {
  title: string;
  text?: string;
  command?: string;
  fixture?: string;
}

/** A request of the journal: what was received, what was answered, and why. */
export interface Request {
  number: number;
  /** When the request arrived, for example 2026-01-05T09:30:00.123Z. */
  at: string;
  token: string;
  method: string;
  host: string;
  url: string;
  header: Header;
  /** The status of the answer. It is 0 until the answer begins, and stays 0 without an answer. */
  status: number;
  reason: string;
  /** The time from the arrival to the first byte of the answer, in milliseconds. */
  duration_ms: number;
  /** True while the request waits until it is released. */
  held?: boolean;
  answer?: Answer;
  unmatched: boolean;
  ignored_query?: string;
  passed_on?: boolean;
  complete: boolean;
  broken: boolean;
  advice?: Advice;
}

/** Steers what one token gets. Its methods fail if the server refuses what they send. */
export interface Client {
  /** The bearer token that the app has to send. */
  readonly token: string;
  /**
   * Gives the token this user. It drops the answers of `reply` that were not played. The earlier
   * requests stay in the journal.
   */
  setUser(user: User): Promise<unknown>;
  /**
   * Gives the token a copy of a user of the server, for example "flaky", with the same campaigns.
   * It drops the answers of `reply` that were not played.
   */
  behaveLike(user: string): Promise<unknown>;
  /** Gives the next requests these answers. The replies of the user follow after them. */
  reply(...replies: (Reply | Reply[])[]): Promise<unknown>;
  /**
   * Answers the requests that a delay `until released` holds, and returns how many it held. It
   * fails if no request waits yet, but the next request would. So call awaitRequests first.
   */
  release(): Promise<number>;
  /** The requests with this token, the oldest first. */
  requests(): Promise<Request[]>;
  /**
   * Waits until n requests with this token have arrived, and returns the requests. It fails after
   * 10 seconds.
   */
  awaitRequests(n: number): Promise<Request[]>;
}

/**
 * Steers the token that belongs to this test alone. The token sees three generated campaigns until
 * the test calls setUser or behaveLike. Each attempt and each repetition of the test gets a new
 * token.
 */
export interface Campaigns extends Client {
  /**
   * Returns a client for a further token of this test. This token sees what the token `user` sees,
   * for example "flaky".
   */
  like(user: string): Client;
  /**
   * Returns a client for a token that the test has learnt, for example from a login. No other test
   * should use this token.
   */
  withToken(token: string): Client;
}

/** The options of the fixture, for `defineConfig<CampaignsOptions>`. */
export interface CampaignsOptions {
  /** The URL of the server. The default is http://127.0.0.1:8642. */
  campaignsURL: string;
}

export declare const test: ReturnType<
  typeof base.extend<CampaignsOptions & { campaigns: Campaigns }>
>;
