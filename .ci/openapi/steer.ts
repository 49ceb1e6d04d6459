// A test as a frontend has it, which steers the server by types that are generated from the
// document of the control plane.
import createClient from "openapi-fetch";
import type { components, paths } from "./control.js";

declare const process: { argv: string[] };

const fake = createClient<paths>({ baseUrl: process.argv[2] });

async function steer(token: string) {
  const put = await fake.PUT("/_fake/users", {
    params: { query: { token } },
    body: { generate: { count: 3 }, replies: [{ status: 503 }, { fault: "reset", times: "always" }] },
  });
  if (put.error) throw new Error(put.error.detail);
  const dropped: number | undefined = put.data.dropped?.requests;
  await fake.PUT("/_fake/users", { params: { query: { token } }, body: { campaigns: [{ name: "Spring", status: null, extra: { budget: 3 } }], delay: "2s" } });
  await fake.POST("/_fake/replies", { params: { query: { token } }, body: { delay: "until released" } });
  await fetch(process.argv[2] + "/api/users/campaigns", { headers: { Authorization: `Bearer ${token}` } });
  await fake.POST("/_fake/replies", { params: { query: { token } }, body: [{ status: 500, headers: { "Retry-After": "1", "Set-Cookie": ["a=1"] } }] });
  await fake.PUT("/_fake/service", { body: { ids: "integers", success: { body: { data: "{campaigns}" } }, responses: { not_found: { status: 410 } } } });
  const { data: brief } = await fake.GET("/_fake/requests", { params: { query: { brief: true } } });
  // @ts-expect-error: an entry has no header before it is known not to be brief
  console.log(brief?.requests[0].header);
  const { data, error } = await fake.GET("/_fake/requests", { params: { query: { token, await_answers: 1 } } });
  if (error) throw new Error(error.detail);
  for (const entry of data.requests) {
    const status: number = entry.status;
    if (!entry.brief) console.log(status, entry.header["Authorization"]?.[0], entry.answer?.bytes);
  }
  const user: components["schemas"]["user"] = { replies: [{ status: 503 }] };
  const unplayed = await fake.GET("/_fake/unplayed", {});
  console.log(unplayed.data?.unplayed.map((u) => u.summary).join("; "), JSON.stringify(user), dropped);
  await fake.DELETE("/_fake/users", { params: { query: { token } } });
  await fake.POST("/_fake/reset", { params: { query: { token } } });
  const { data: users } = await fake.GET("/_fake/users");
  if (typeof users === "object" && "users" in users) console.log(users.users[0].summary);
}

await steer(process.argv[3]);
