import { useIsNarrow } from '../parts/use-is-narrow.ts'

/** Returns the list's layout: a popover beside its button, or a modal sheet on a narrow screen. */
export function useBellLayout(): 'popover' | 'sheet' {
  return useIsNarrow() ? 'sheet' : 'popover'
}
