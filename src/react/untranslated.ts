/**
 * Keeps what is no text of the panel as it is: names, addresses, codes. As a `ref`, since Preact would set the
 * property of that name, which takes every text for "yes".
 */
export function untranslated(element: HTMLElement | null): void {
  element?.setAttribute('translate', 'no')
}
