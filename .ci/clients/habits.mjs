// Habits of published clients: what each takes for granted of the body. It prints what
// each comes to with the service at the base URL.
const base = process.argv[2];
const ask = (token) => fetch(base + "/user/campaigns", {headers: {Authorization: "Bearer " + token, "Content-Type": "application/json"}});

const habits = {
  "maps the body": async () => (await (await ask("demo")).json()).map(({id}) => id).length,
  "takes data.campaigns": async () => {
    const data = await (await ask("demo")).json();
    return data.campaigns.length;
  },
  "takes both": async () => {
    const data = await (await ask("demo")).json();
    return (Array.isArray(data) ? data : data.campaigns).length;
  },
  "adds up ids": async () => [].concat(...Object.values(await (await ask("demo")).json())).reduce((sum, {id}) => sum + id, 0) > 0,
  "waits for retry_after": async () => {
    let limited;
    do limited = await ask("rate-limited"); while (limited.status !== 429);
    return (await limited.json()).retry_after;
  },
};
for (const [name, habit] of Object.entries(habits)) {
  console.log(`${name}: ${await habit().catch((error) => error.name)}`);
}
