/**
 * Excludes an element from translation: names, addresses, codes, numbers that change. Use it as a
 * `ref`: Preact would set the `translate` property, which takes every string for `true`.
 */
export function untranslated(element: HTMLElement | null): void {
  element?.setAttribute('translate', 'no')
}
