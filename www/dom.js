/** The two helpers all parts of the page use. */

/**
 * Makes an element. Properties are set as properties, except `aria-…`, `data-…`, `for` and `role`, which become attributes.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string | null | undefined | false)} children empty ones are left out
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (/^(aria-|data-|for$|role$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

/** @param {string} id */
export function byId(id) {
  return document.getElementById(id);
}

/** JSON for reading. */
export function pretty(value) {
  return JSON.stringify(value, null, 2);
}

let count = 0;

/** An id no other element has. */
export function freshId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}
