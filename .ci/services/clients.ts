// Typed clients of six families. The arguments are a family, a base URL and a token; the
// output is what came of the list, of a request without a token, and of an unknown token.
import { z } from "zod";

declare const process: { argv: string[] };

/** What an app knows of a page of campaigns, whoever has sent it. */
type Page = { campaigns: { id: string; name: string; created: Date }[]; next: string | null; total?: number };

type Family = { page(body: unknown): Page; refusal(response: Response, body: unknown): string };

class Refused extends Error {}

function family<List, Problem>(
  list: z.ZodType<List>, page: (list: List) => Page,
  problem: z.ZodType<Problem>, refusal: (problem: Problem, response: Response) => string,
): Family {
  return { page: (body) => page(list.parse(body)), refusal: (response, body) => refusal(problem.parse(body), response) };
}

const { strictObject, array, string, number, boolean, literal } = z;
const count = number().int().nonnegative();
const digits = string().regex(/^\d+$/);
const millis = z.iso.datetime({ precision: 3 });
const seconds = number().int().min(1e9).max(1e10);
const at = (text: string) => new Date(text);

const families: Record<string, Family> = {
  laravel: family(
    strictObject({
      data: array(strictObject({
        id: count, name: string().min(1), status: z.enum(["draft", "active", "paused"]), description: string().nullable(), budget: number(), is_active: boolean(), opens: count,
        settings: strictObject({ track_opens: boolean(), utm: strictObject({ source: string(), medium: string().nullable() }) }),
        segment: strictObject({ id: count, name: string() }).nullable(), image_url: z.url().nullable(), deleted_at: z.null(),
        created_at: z.iso.datetime({ precision: 6 }), updated_at: z.iso.datetime({ precision: 6 }),
      })),
      links: strictObject({ first: z.url(), last: z.url(), prev: z.url().nullable(), next: z.url().nullable() }),
      meta: strictObject({
        current_page: count, from: count, last_page: count, links: array(strictObject({ url: z.url().nullable(), label: string(), active: boolean() })),
        path: z.url(), per_page: count, to: count, total: count,
      }),
    }),
    ({ data, links, meta }) => ({ campaigns: data.map((c) => ({ id: String(c.id), name: c.name, created: at(c.created_at) })), next: meta.current_page < meta.last_page ? links.next : null, total: meta.total }),
    strictObject({ message: literal("Unauthenticated.") }), ({ message }) => message,
  ),

  jsonapi: family(
    strictObject({
      jsonapi: strictObject({ version: string() }), links: strictObject({ self: z.url(), next: z.url().nullable() }), meta: strictObject({ total: count }),
      data: array(strictObject({
        type: literal("campaigns"), id: digits, links: strictObject({ self: z.url() }),
        attributes: strictObject({
          title: string().min(1), status: z.enum(["draft", "active", "ended"]), "created-at": z.iso.datetime({ precision: 0 }), "updated-at": z.iso.datetime({ precision: 0 }),
          "budget-cents": count.nullable(), labels: z.record(digits, string()),
        }),
        relationships: strictObject({ owner: strictObject({ data: strictObject({ type: string(), id: digits }).nullable() }) }),
      })),
    }),
    ({ data, links, meta }) => ({ campaigns: data.map((c) => ({ id: c.id, name: c.attributes.title, created: at(c.attributes["created-at"]) })), next: links.next, total: meta.total }),
    strictObject({ errors: array(strictObject({ status: literal("401"), title: literal("Unauthorized"), detail: string() })).length(1) }), ({ errors }) => errors.map((e) => e.title).join(),
  ),

  stripe: family(
    strictObject({
      object: literal("list"), url: string(), has_more: boolean(),
      data: array(strictObject({
        id: string().startsWith("cmp_"), object: literal("campaign"), name: string(), status: z.enum(["active", "canceled", "past_due"]), amount: count, currency: string().length(3),
        description: string().nullable(), livemode: boolean(), metadata: z.record(string(), string()), created: seconds, updated: seconds, canceled_at: seconds.nullable(),
      })),
    }),
    ({ data, has_more }) => ({ campaigns: data.map((c) => ({ id: c.id, name: c.name, created: new Date(c.created * 1000) })), next: has_more ? `?starting_after=${data.at(-1)?.id}` : null }),
    strictObject({ error: strictObject({ type: literal("invalid_request_error"), message: string() }) }), ({ error }, response) => `${error.type}, ${response.headers.get("www-authenticate")?.split(" ")[0]}`,
  ),

  hubspot: family(
    strictObject({
      results: array(strictObject({
        id: digits, name: string(), status: z.enum(["DRAFT", "SCHEDULED", "SENT"]), createdAt: millis, updatedAt: millis, archived: boolean(),
        properties: strictObject({ hs_name: string(), hs_budget: string().regex(/^\d+\.\d\d$/).nullable(), hs_owner: digits.nullable(), hs_color: string().regex(/^#[0-9a-f]{6}$/i) }),
      })),
      paging: strictObject({ next: strictObject({ after: string() }) }).optional(),
    }),
    ({ results, paging }) => ({ campaigns: results.map((c) => ({ id: c.id, name: c.name, created: at(c.createdAt) })), next: paging ? `?after=${paging.next.after}` : null }),
    strictObject({ status: literal("error"), message: string(), correlationId: string(), category: literal("INVALID_AUTHENTICATION") }), ({ category }) => category,
  ),

  graphql: family(
    strictObject({ data: strictObject({ viewer: strictObject({ campaigns: strictObject({
      totalCount: count, pageInfo: strictObject({ hasNextPage: boolean(), hasPreviousPage: boolean(), startCursor: string().nullable(), endCursor: string().nullable() }),
      edges: array(strictObject({
        cursor: string(),
        node: strictObject({
          __typename: literal("Campaign"), id: string().min(1), name: string(), status: z.enum(["DRAFT", "RUNNING", "DONE"]), clicks: count,
          owner: strictObject({ id: string(), email: z.email() }).nullable(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime(),
        }),
      })),
    }) }) }) }),
    ({ data: { viewer: { campaigns: { edges, pageInfo, totalCount } } } }) => ({ campaigns: edges.map(({ node }) => ({ id: node.id, name: node.name, created: at(node.createdAt) })), next: pageInfo.hasNextPage ? `?after=${pageInfo.endCursor}` : null, total: totalCount }),
    strictObject({ data: z.null(), errors: array(strictObject({ message: string(), extensions: strictObject({ code: literal("UNAUTHENTICATED") }) })).min(1) }), ({ errors }, { status }) => `${errors[0]?.extensions.code} with ${status}`,
  ),

  strapi: family(
    strictObject({
      data: array(strictObject({
        id: count, attributes: strictObject({
          title: string(), slug: string().regex(/^[a-z0-9-]+$/), state: z.enum(["draft", "live", "closed"]), budget: count.nullable(), locale: string(), createdAt: millis, updatedAt: millis, publishedAt: millis.nullable(),
          seo: strictObject({ metaTitle: string(), keywords: string().nullable() }),
        }),
      })),
      meta: strictObject({ pagination: strictObject({ page: count, pageSize: count, pageCount: count, total: count }) }),
    }),
    ({ data, meta: { pagination: p } }) => ({ campaigns: data.map((c) => ({ id: String(c.id), name: c.attributes.title, created: at(c.attributes.createdAt) })), next: p.page < p.pageCount ? `?pagination[page]=${p.page + 1}` : null, total: p.total }),
    strictObject({ data: z.null(), error: strictObject({ status: literal(401), name: literal("UnauthorizedError"), message: string(), details: strictObject({}) }) }), ({ error }) => error.name,
  ),
};

async function list(api: Family, baseURL: string, token?: string): Promise<number> {
  const campaigns: Page["campaigns"] = [];
  for (let next: string | null = "", pages = 0; next !== null; pages++) {
    if (pages > 0) throw new Error(`the list goes on at ${next}`); // all campaigns are on the first page
    const response: Response = await fetch(`${baseURL}/user/campaigns${next}`, { headers: { Accept: "application/json", ...(token && { Authorization: `Bearer ${token}` }) } });
    const body: unknown = await response.json();
    if (!response.ok || Object.hasOwn(Object(body), "errors")) throw new Refused(api.refusal(response, body));
    const page = api.page(body);
    campaigns.push(...page.campaigns);
    if (page.total !== undefined && page.total !== campaigns.length) throw new Error(`the total is ${page.total}, but there are ${campaigns.length} campaigns`);
    next = page.next;
  }
  if (campaigns.some((c) => Number.isNaN(c.created.getTime()))) throw new Error("there is a date that is none");
  return campaigns.length;
}

const [name = "", baseURL = "", token] = process.argv.slice(2);
const api = families[name];
if (!api) throw new Error(`there is no family ${name}`);
const refused = (token?: string) => list(api, baseURL, token).then((n) => `${n} campaigns`, (error) => (error instanceof Refused ? error.message : Promise.reject(error)));
console.log(JSON.stringify({ count: await list(api, baseURL, token), missing: await refused(), unknown: await refused("nobody-knows-this") }));
