// Makes elements: h('button', { class: 'primary', onclick: go }, 'Go').

export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  set(element, properties);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function svg(name, properties = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  set(element, properties);
  element.append(...children);
  return element;
}

function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function' || name === 'srcObject') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
}

// The elements of the page that scripts fill, by their data-part.
export function parts() {
  const found = [...document.querySelectorAll('[data-part]')];
  return Object.fromEntries(found.map((element) => [element.dataset.part, element]));
}

// A live region speaks whenever it is written to, so only when it says something else.
export function say(element, text, tone) {
  if (element.textContent !== text) element.textContent = text;
  if (tone === undefined) delete element.dataset.tone;
  else element.dataset.tone = tone;
}

let lastId = 0;
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}
