// What the server said last of what is shown.

const fewAdvised = 100;

// state has what was loaded last. It is changed in this file alone, and so is opened.
const state = {
  health: {},
  users: [],
  unknown: {}, // how tokens are answered that no user has
  list: {requests: []},
  advised: {requests: []}, // requests for which there is advice
  hasPassedOn: false, // requests to the upstream
  held: [], // requests of the chosen token that wait for their release
  replies: [], // replies of the chosen token that wait to be played
  settings: null,
  missing: 0, // the number of a request that the URL has, and the journal has not
  shown: undefined, // the link to what all this was asked for
};

// opened has the requests that are opened, by number: null until the server has sent one with its
// headers.
const opened = new Map();

// load asks for what is shown. It returns false if something else is shown by then.
async function load() {
  const shown = linkTo({});
  const token = chosenToken();
  const health = await get("health"); // alone, since the server may be away
  const [{users, unknown}, list, advised, hasPassedOn, held, service] = await Promise.all([
    get("users"),
    getList(),
    getRequests({advice: true, limit: fewAdvised}),
    getPassedOn(),
    getHeld(token),
    byId("service").open ? get("service") : undefined,
  ]);
  if (linkTo({}) !== shown) return false;
  if (shown !== state.shown) closeOthers(list.requests);
  const [replies] = await Promise.all([getRepliesOf(token, users), loadOpened()]);
  if (linkTo({}) !== shown) return false;
  Object.assign(state, {
    health,
    users,
    unknown,
    list,
    advised,
    hasPassedOn,
    held,
    replies,
    shown,
  });
  if (service) state.settings = service.settings;
  return true;
}

// getRepliesOf asks for the replies of a token that wait to be played. There are none without a
// user.
function getRepliesOf(token, users) {
  if (!userOf(token, users)) return [];
  return getReplies(token);
}

// closeOthers closes the requests that do not belong to what is shown now.
function closeOthers(listed) {
  const numbers = new Set(listed.map(({number}) => number));
  for (const number of opened.keys()) {
    if (!numbers.has(number) && !isOfAddress(number)) opened.delete(number);
  }
}

// loadOpened asks for the requests that are opened. Each is asked for every time, since its
// answer may still be sent, and the advice on it goes by the settings of now.
function loadOpened() {
  return Promise.all([...opened.keys()].map(loadRequest));
}

async function loadRequest(number) {
  const request = await getRequest(number);
  if (!opened.has(number)) return; // it was closed meanwhile
  const known = opened.get(number);
  // After a reset another request has the number.
  const isSame = request && (!known || known.at === request.at);
  if (isSame) {
    opened.set(number, request);
    return;
  }
  // One that was shown was deleted, as its row was, and nobody has to be told.
  if (!known && isOfAddress(number)) state.missing = number;
  closeRequest(number);
}

// openRequestOfAddress opens the request that the URL has.
function openRequestOfAddress() {
  state.missing = 0;
  const number = parameter("request");
  if (number) opened.set(Number(number), null);
}

// openRequest opens a request, which is the one of the URL then.
function openRequest(number) {
  state.missing = 0;
  opened.set(number, null);
  changeAddress({request: number});
}

// closeRequest closes a request. If it was that of the URL, the URL has none then.
function closeRequest(number) {
  opened.delete(number);
  if (isOfAddress(number)) changeAddress({request: 0});
}

// forgetUser forgets what was loaded of a user that is no longer chosen.
function forgetUser() {
  state.replies = [];
  state.held = [];
}

// userOf is the user of a token, or else of what stands before one of its tildes, the last one
// first.
function userOf(token, users) {
  const own = users.find((user) => user.token === token);
  const last = token.lastIndexOf("~");
  if (own || last < 0) return own;
  return userOf(token.slice(0, last), users);
}

function campaignsURL() {
  return (state.health.base_url ?? "") + "/user/campaigns";
}
