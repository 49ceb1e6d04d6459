// A client as a frontend has it: its types are generated from the document. It asks
// with each token, and prints what it was answered.
import createClient from "openapi-fetch";
import type {components, paths} from "./api.js";

declare const process: {argv: string[]};

const client = createClient<paths>({baseUrl: process.argv[2]});

for (const token of process.argv.slice(3)) {
  const {data, error, response} = await client.GET("/user/campaigns", {headers: {Authorization: `Bearer ${token}`}});
  if (error) {
    const title: string = error.title;
    console.log(token, response.status, title);
  } else {
    const first: components["schemas"]["Campaign"] = data.campaigns[0];
    const name: string = data.campaigns[0].name;
    console.log(token, response.status, name, first.id);
  }
}

// What is wrong does not compile. It is never called.
export async function wrong() {
  const {data, error} = await client.GET("/user/campaigns");
  // @ts-expect-error: without a check there may be no data
  data.campaigns;
  if (error) {
    // @ts-expect-error: a title is text
    const title: number = error.title;
    // @ts-expect-error: a problem document has no message
    return [title, error.message];
  }
  // @ts-expect-error: a name is text
  const name: number = data.campaigns[0].name;
  // @ts-expect-error: the list is in campaigns
  const list = data.data;
  // @ts-expect-error: a campaign has no title
  const title = data.campaigns[0].title;
  // @ts-expect-error: the service has no other path
  await client.GET("/user/campaign");
  // @ts-expect-error: nor another method
  await client.POST("/user/campaigns");
  // @ts-expect-error: and takes no query
  await client.GET("/user/campaigns", {params: {query: {page: 2}}});
  return [name, list, title];
}
