import { useLocale } from './provider.tsx'

/** Renders a time in the language of the panel. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{useTime(at)}</time>
}

/** Returns a time in the language of the panel. */
export function useTime(at: string, dateStyle: 'full' | 'medium' = 'medium'): string {
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle, timeStyle: 'short' })
  return format.format(new Date(at))
}
