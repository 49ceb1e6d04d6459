import { expect, test as base } from "@playwright/test";
export { expect };
type Text = string | null;
type Time = Text | { ago: string };
export interface Campaign { id?: Text; name?: Text; status?: Text; created_at?: Time; updated_at?: Time; omit?: string[]; extra?: object }
/** A scripted answer. It is played once, unless times says more. */
export interface Reply {
  times?: number | "always"; delay?: string; status?: number; headers?: object; body?: unknown; campaigns?: Campaign[];
  response?: string; fault?: "reset" | "close" | "hang" | "truncate" | "stall" | "bad_json" | "wrong_type";
}
/** What a token sees: no campaigns, unless there are campaigns or generate. */
export interface User {
  description?: string; like?: string; campaigns?: Campaign[]; generate?: { count?: number; edge_cases?: "all" | "texts" | "dates" | "types" };
  delay?: string; rate_limit?: { requests: number; per: string }; replies?: Reply[]; repeat?: boolean;
}
export interface Request { number: number; token: string; method: string; url: string; status: number; reason: string; unmatched: boolean }
export interface Campaigns {
  /** The token of this test, for the app to send. It sees three campaigns until setUser. */
  readonly token: string;
  setUser(user: User): Promise<unknown>;
  /** Gives the next requests these answers, before the replies of the user. */
  reply(...replies: Reply[]): Promise<unknown>;
  /** Answers the requests that are held `until released`, and returns how many there were. */
  release(): Promise<number>;
  requests(): Promise<Request[]>;
  /** Waits, for at most 10 seconds, until so many requests of this test have arrived. */
  awaitRequests(n: number): Promise<Request[]>;
}
export declare const test: ReturnType<typeof base.extend<{ campaignsURL: string; campaigns: Campaigns }>>;
