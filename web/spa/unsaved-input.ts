/** Returns `true` if the page has fields that were changed since they were rendered. */
export function hasUnsavedInput(): boolean {
  return [...document.querySelectorAll('input, textarea, select')].some(isChanged)
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  }
  if (!(field instanceof HTMLInputElement)) return false
  if (field.type === 'checkbox' || field.type === 'radio') {
    return field.checked !== field.defaultChecked
  }
  return field.type !== 'hidden' && field.value !== field.defaultValue
}
