// The last answers of the server, from which the page is drawn.

const fewAdvised = 100;

// state has what was loaded last. Only this file changes state and opened.
const state = {
  health: {},
  users: [],
  unknown: {}, // how the server answers tokens that no user has
  list: {requests: []},
  advised: {requests: []}, // requests for which there is advice
  hasPassedOn: false, // whether any request was passed on to the upstream
  held: [], // requests of the chosen token that wait for their release
  replies: [], // replies of the chosen token that wait to be played
  settings: null,
  missing: 0, // the number of the request in the URL, if the journal does not have it; else 0
  shown: undefined, // what linkTo({}) was when the page asked for all this
};

// opened has the opened requests by number. The value is null until the server has sent the request
// with its headers.
const opened = new Map();

// load asks the server for everything that the page shows. If the reader has changed what the page
// shows before the answers come, load drops the answers and returns false.
async function load() {
  const shown = linkTo({});
  const token = chosenToken();
  const health = await get("health"); // alone and first, since the server may be away
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

// getRepliesOf asks for the waiting replies of a token. It does not ask if the token has no user,
// since the server would refuse the call.
function getRepliesOf(token, users) {
  if (!userOf(token, users)) return [];
  return getReplies(token);
}

// closeOthers closes each opened request that is neither in the list `listed` nor in the URL, as in
// ?request=7.
function closeOthers(listed) {
  const numbers = new Set(listed.map(({number}) => number));
  for (const number of opened.keys()) {
    if (!numbers.has(number) && !isOfAddress(number)) opened.delete(number);
  }
}

// loadOpened asks for each opened request again, because two things may have changed: more of its
// answer was sent, or new settings gave it other advice.
function loadOpened() {
  return Promise.all([...opened.keys()].map(loadRequest));
}

async function loadRequest(number) {
  const request = await getRequest(number);
  if (!opened.has(number)) return; // it was closed meanwhile
  const known = opened.get(number);
  // After a reset, another request may have this number.
  const isSame = request && (!known || known.at === request.at);
  if (isSame) {
    opened.set(number, request);
    return;
  }
  // The request is gone. The page says so only if the URL names the request, and the page has not
  // shown it yet. If the page has shown the request, its row disappears, which says enough.
  if (!known && isOfAddress(number)) state.missing = number;
  closeRequest(number);
}

// openRequestOfAddress opens the request that the URL names, if any.
function openRequestOfAddress() {
  state.missing = 0;
  const number = parameter("request");
  if (number) opened.set(Number(number), null);
}

// openRequest opens a request, and writes its number into the URL.
function openRequest(number) {
  state.missing = 0;
  opened.set(number, null);
  changeAddress({request: number});
}

// closeRequest closes a request. If the URL names it, closeRequest removes the number from the URL.
function closeRequest(number) {
  opened.delete(number);
  if (isOfAddress(number)) changeAddress({request: 0});
}

// forgetUser forgets what was loaded for a user that is no longer chosen.
function forgetUser() {
  state.replies = [];
  state.held = [];
}

// userOf returns the user of a token. If the token demo~a~1 has no user, it tries demo~a, then
// demo. It returns undefined if none of them has a user.
function userOf(token, users) {
  const own = users.find((user) => user.token === token);
  const last = token.lastIndexOf("~");
  if (own || last < 0) return own;
  return userOf(token.slice(0, last), users);
}

function campaignsURL() {
  return (state.health.base_url ?? "") + "/user/campaigns";
}
