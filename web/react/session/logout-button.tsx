import { useState } from 'react'
import { useLanguageAttributes, useSession, useTexts } from './provider.tsx'
import { problemOf } from './refusal-text.ts'

/** The properties of `LogoutButton`. */
export interface LogoutButtonProps {
  /** Called with the reason for a failed logout; with `null` when another try begins. */
  readonly onProblem?: (message: string | null) => void
}

/**
 * Renders the button that logs out of the panel, in all its tabs.
 *
 * @example
 * ```tsx
 * import { useState } from 'react'
 *
 * function Account() {
 *   const [problem, setProblem] = useState<string | null>(null)
 *   return (
 *     <>
 *       <LogoutButton onProblem={setProblem} />
 *       <p role="alert">{problem}</p>
 *     </>
 *   )
 * }
 * ```
 */
export function LogoutButton({ onProblem }: LogoutButtonProps) {
  const session = useSession()
  const texts = useTexts()
  const [isSending, setIsSending] = useState(false)
  async function logOut() {
    onProblem?.(null)
    setIsSending(true)
    const problem = problemOf(await session.logout(), texts)
    setIsSending(false)
    if (problem !== null) onProblem?.(problem)
  }
  return (
    <button
      {...useLanguageAttributes()}
      type="button"
      data-svc-part="logout"
      aria-busy={isSending || undefined}
      onClick={() => void logOut()}
    >
      {texts.text('ui.logout')}
    </button>
  )
}
