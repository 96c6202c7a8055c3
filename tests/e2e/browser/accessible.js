// What can be said of a page's accessibility by looking at it: names, headings, contrast, width.

const NAMED = new Set(['button', 'link', 'textbox', 'combobox', 'radio', 'switch', 'tab', 'image']);

function* nodesOf(node) {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}

async function namelessOf(page) {
  const tree = await page.accessibility.snapshot({ interestingOnly: false });
  return [...nodesOf(tree)]
    .filter(({ role, name }) => NAMED.has(role) && !name?.trim())
    .map(({ role }) => `a ${role} has no name`);
}

// Runs in the page. Ratios are those of WCAG 2.2, success criterion 1.4.3.
function lookAround() {
  const found = [];
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isOpaque = (colour) => (channels(colour)[3] ?? 1) > 0;
  const backgroundOf = (element) => {
    for (let place = element; place; place = place.parentElement) {
      const { backgroundColor } = getComputedStyle(place);
      if (isOpaque(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!text || !isShown || element.closest('.screen, .theatre, .unseen, :disabled')) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(style.color), luminance(backgroundOf(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`"${text}" has a contrast of ${ratio.toFixed(2)}`);
  }
  const levels = [...document.querySelectorAll('h1, h2, h3')]
    .filter((heading) => heading.checkVisibility())
    .map((heading) => Number(heading.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) found.push('there is not one h1');
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) found.push('an id stands twice');
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const id = element.getAttribute(attribute);
      if (!document.getElementById(id)) found.push(`${attribute} names ${id}, which is not there`);
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`it is ${scrollWidth} wide, of ${clientWidth}`);
  if (!document.documentElement.lang) found.push('it has no language');
  if (!document.title) found.push('it has no title');
  return found;
}

// Sentences about what is wrong; none when all is well.
export async function complaints(page) {
  return [...(await namelessOf(page)), ...(await page.evaluate(lookAround))];
}
