// Puts the page together: one list of streams, one stage, one publication, one token.

import { streams } from '../../runnel.js';
import { parts, say } from './elements.js';
import { PublishPanel } from './publish_panel.js';
import { RecipeTabs } from './recipe_tabs.js';
import { SERVER_STATES } from './sentences.js';
import { Stage } from './stage.js';
import { StreamList } from './stream_list.js';
import { themeButton } from './theme.js';
import { Token } from './token.js';

const page = parts();
const token = new Token(page.token);
const stage = new Stage(page.stage, { token });
const panel = new PublishPanel(page.publish, { token, onName: showRecipes });
const recipes = new RecipeTabs(page.recipes, situation());
let list;
let live;

function situation() {
  return { stream: panel.stream ?? 'NAME', hasToken: token.value !== undefined };
}

function showRecipes() {
  recipes.show(situation());
}

function showServer() {
  const { state, failure, server } = live;
  const { text, tone } = SERVER_STATES[state];
  say(page['server-state'], text, tone);
  say(page['server-name'], [location.host, server].filter(Boolean).join(' · '));
  if (failure?.status === 401) token.ask();
}

function connect() {
  list?.close();
  live?.close();
  live = streams({ token: token.value });
  list = new StreamList(live, { parts: page, stage });
  live.addEventListener('state', showServer);
  showServer();
  showRecipes();
}

themeButton(page.theme);
token.addEventListener('change', connect);
connect();
