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

/** A scripted answer. It is played once, unless times says more. */
export interface Reply {
  times?: number | "always";
  delay?: string;
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: unknown;
  campaigns?: Campaign[];
  /** An answer of the settings of the service, in place of a status. */
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

/** What a token sees: no campaigns, unless there are campaigns or generate. */
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
  /** The start of the body, up to 4 KiB. It is empty if the body is the upstream's. */
  body: string;
  /** The length of the whole body, and how much of it was sent. */
  bytes: number;
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
  /** When it arrived, as 2026-01-05T09:30:00.123Z. */
  at: string;
  token: string;
  method: string;
  host: string;
  url: string;
  header: Header;
  /** 0 while there is no answer, and if none came. */
  status: number;
  reason: string;
  /** From the arrival to the first byte of the answer, in milliseconds. */
  duration_ms: number;
  /** It waits until it is released. */
  held?: boolean;
  answer?: Answer;
  unmatched: boolean;
  ignored_query?: string;
  passed_on?: boolean;
  complete: boolean;
  broken: boolean;
  advice?: Advice;
}

/** Steers one token. Its methods fail if the server refuses what they send. */
export interface Client {
  /** For the app to send. */
  readonly token: string;
  /** Gives the token this user, and drops the replies that wait. Its requests stay. */
  setUser(user: User): Promise<unknown>;
  /**
   * Gives the token a copy of the user of the server, as "flaky": the same campaigns. It drops the
   * replies that wait.
   */
  behaveLike(user: string): Promise<unknown>;
  /** Gives the next requests these answers, before the replies of the user. */
  reply(...replies: (Reply | Reply[])[]): Promise<unknown>;
  /**
   * Answers the requests that are held `until released`, and returns how many there were. It fails
   * if none has arrived yet that will be held: awaitRequests waits for it.
   */
  release(): Promise<number>;
  /** The requests with this token, the oldest first. */
  requests(): Promise<Request[]>;
  /** Waits, for at most 10 seconds, until so many requests with this token have arrived. */
  awaitRequests(n: number): Promise<Request[]>;
}

/**
 * The part of the server that is this test's own until it ends. Its token sees three campaigns
 * until setUser. No other test has it, nor has another run or attempt of this one.
 */
export interface Campaigns extends Client {
  /** A further token of this test, which sees what a user of the server sees, as "flaky". */
  like(user: string): Client;
  /** A token that the test has learnt, as that of a login. It should be of no other test. */
  withToken(token: string): Client;
}

/** The options of the fixture, for `defineConfig<CampaignsOptions>`. */
export interface CampaignsOptions {
  /** The URL of the server, http://127.0.0.1:8642 if it is not set. */
  campaignsURL: string;
}

export declare const test: ReturnType<
  typeof base.extend<CampaignsOptions & { campaigns: Campaigns }>
>;
