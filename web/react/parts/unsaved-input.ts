type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The fields whose input a reload would lose. A search is not input. */
const FIELDS = 'input:not([type=search]), textarea, select'

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
  before.set(target, type === 'input' ? null : contentOf(target as Field))
}

/** Returns `true` if the page, or a part of it, has fields whose input a reload would lose. */
export function hasUnsavedInput(part: ParentNode = document): boolean {
  return [...part.querySelectorAll<Field>(FIELDS)].some(
    (field) => before.has(field) && before.get(field) !== contentOf(field),
  )
}

/** Returns the value, and whether a box is ticked. */
function contentOf(field: Field): string {
  return 'checked' in field ? `${field.checked} ${field.value}` : field.value
}
