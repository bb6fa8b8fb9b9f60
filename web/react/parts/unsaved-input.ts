type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A search is not input. */
const CONTROLS = 'input:not([type=search]), textarea, select'
/** The fields whose input a reload would lose, with editors of formatted text. */
const FIELDS = `${CONTROLS}, [contenteditable]:not([contenteditable=false])`

/**
 * Contents of the fields before the user came to them; `null` if unknown. The defaults do not tell:
 * React moves those of controlled fields along with the value, and other frameworks never set them.
 */
const before = new WeakMap<Element, string | null>()

/** Remembers what fields hold before the user changes them. @returns A function that stops it. */
export function watchInput(): () => void {
  addEventListener('focusin', remember)
  // Password managers fill fields in without a focus.
  addEventListener('input', remember)
  return () => {
    removeEventListener('focusin', remember)
    removeEventListener('input', remember)
  }
}

function remember({ target, type }: Event): void {
  if (!(target instanceof Element) || before.has(target) || !target.matches(FIELDS)) return
  before.set(target, type === 'input' ? null : contentOf(target))
}

/** Parts that are kept outside of the document, such as during a login. */
const kept = new Set<ParentNode>()

/** Holds what a reload would lose besides fields, such as recovery codes during a login. */
export const unsaved = new Set<object>()

/** Counts the input of a part outside of the document as well. @returns A function that ends it. */
export function keepInput(part: ParentNode): () => void {
  kept.add(part)
  return () => kept.delete(part)
}

/** Returns `true` if a reload would lose input, or that of the fields of one part. */
export function hasUnsavedInput(part?: ParentNode): boolean {
  if (part === undefined && unsaved.size > 0) return true
  const parts = part === undefined ? [document, ...kept] : [part]
  return parts
    .flatMap((one) => Array.from(one.querySelectorAll(FIELDS)))
    .some((field) => before.has(field) && before.get(field) !== contentOf(field))
}

/** Returns the text of a field, and whether a box is ticked. */
function contentOf(field: Element): string {
  return field.matches(CONTROLS) ? valueOf(field as Control) : field.textContent
}

function valueOf(control: Control): string {
  return 'checked' in control ? `${control.checked} ${control.value}` : control.value
}
