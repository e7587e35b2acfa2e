/**
 * Form fields from a flat JSON Schema: for the arguments of a tool and for what a server asks of the user. A property of
 * a kind it has no field for is written as JSON.
 */
import { freshId, h, pretty } from './dom.js';

/**
 * @param {{ properties?: Record<string, object>, required?: string[] }} schema
 * @param {Record<string, unknown>} [values] what stands in the fields at first, before the schema's defaults
 * @returns {{ element: HTMLElement, read(): Record<string, unknown> }} `read` throws an Error for people on bad input
 */
export function fieldsFor(schema, values = {}) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    field(name, property, required.has(name), Object.hasOwn(values, name) ? values[name] : property.default),
  );
  return { element: h('div', { className: 'fields' }, ...fields.map(({ element }) => element)), read };

  function read() {
    const entries = fields.map(({ name, value }) => [name, value()]).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }
}

function field(name, property, required, start) {
  const id = freshId('field');
  const label = property.title ?? name;
  const { control, get } = controlFor(property, required, start);
  control.id = id;
  control.name = name;
  control.required = required && control.type !== 'checkbox';
  const value = () => {
    const read = get();
    if (read === undefined && required) throw new Error(`“${label}” must be filled in.`);
    return read;
  };
  return { name, value, element: layOut({ id, label, control, property, required }) };
}

function layOut({ id, label, control, property, required }) {
  const note = property.description && h('p', { className: 'note', id: `${id}-note` }, property.description);
  if (note) control.setAttribute('aria-describedby', note.id);
  if (control.type === 'checkbox') return h('div', { className: 'field' }, h('label', { className: 'choice' }, control, label), note);
  const mark = !required && h('span', { className: 'optional' }, ' optional');
  return h('div', { className: 'field' }, h('label', { for: id }, label, mark), control, note);
}

function controlFor(property, required, start) {
  const options = optionsOf(property);
  if (options) return selectControl(options, required, start);
  if (property.type === 'array' && optionsOf(property.items ?? {})) return multiControl(optionsOf(property.items), start);
  if (property.type === 'boolean') return checkboxControl(start);
  if (property.type === 'integer' || property.type === 'number') return numberControl(property, start);
  if (property.type === 'string') return textControl(property, required, start);
  return jsonControl(start);
}

function optionsOf({ enum: values, enumNames, oneOf, anyOf }) {
  if (values) return values.map((value, index) => ({ value, title: enumNames?.[index] ?? String(value) }));
  const titled = (oneOf ?? anyOf)?.map((option) => ({ value: option.const, title: option.title ?? String(option.const) }));
  return titled?.every(({ value }) => value !== undefined) ? titled : undefined;
}

function selectControl(options, required, start) {
  const choices = options.map(({ value, title }) => h('option', { value: String(value), selected: value === start }, title));
  const none = !(required && start !== undefined) && h('option', { value: '', selected: start === undefined }, '—');
  const control = h('select', {}, none, ...choices);
  return { control, get: () => options.find(({ value }) => String(value) === control.value)?.value };
}

function multiControl(options, start = []) {
  const choices = options.map(({ value, title }) => h('option', { value: String(value), selected: start.includes(value) }, title));
  const control = h('select', { multiple: true, size: Math.min(6, choices.length) }, ...choices);
  const isChosen = ({ value }) => [...control.selectedOptions].some((option) => option.value === String(value));
  return { control, get: () => options.filter(isChosen).map(({ value }) => value) };
}

function checkboxControl(start) {
  const control = h('input', { type: 'checkbox', checked: start === true });
  return { control, get: () => control.checked };
}

function numberControl({ type, minimum, maximum }, start) {
  const step = type === 'integer' ? 1 : 'any';
  const control = h('input', { type: 'number', step, min: minimum ?? '', max: maximum ?? '', value: start ?? '' });
  return { control, get: () => (control.value === '' ? undefined : Number(control.value)) };
}

const INPUT_TYPES = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' };

/** A text that must be there and has no narrower form may be long: it gets room. An empty one may be meant. */
function textControl({ format, minLength, maxLength }, required, start = '') {
  const long = required && format === undefined && maxLength === undefined;
  const limits = { ...(minLength && { minLength }), ...(maxLength && { maxLength }), value: start };
  const control = long ? h('textarea', { rows: 8, ...limits }) : h('input', { type: INPUT_TYPES[format] ?? 'text', ...limits });
  return { control, get: () => (control.value === '' ? undefined : control.value) };
}

function jsonControl(start) {
  const control = h('textarea', { rows: 3, className: 'code', spellcheck: false, value: start === undefined ? '' : pretty(start) });
  return { control, get: () => (control.value.trim() === '' ? undefined : parseJson(control)) };
}

function parseJson({ name, value }) {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new Error(`“${name}” is not JSON: ${error.message}`);
  }
}
