import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { endQuestion, printQuestion } from '../output/output.ts'

/** Asks at the terminal. Standard output stays free for the result. */
export async function askAtTerminal(question: string, answer: 'shown' | 'hidden'): Promise<string> {
  const isHidden = answer === 'hidden'
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // With `terminal` the program echoes what is typed, here to nowhere. Else the terminal does.
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isHidden })
  // The prompt appears after the terminal has stopped echoing.
  printQuestion(question)
  // Without this handler, the prompt would swallow Ctrl-C.
  lines.once('SIGINT', () => {
    lines.close()
    process.kill(process.pid, 'SIGINT')
  })
  // At the end of the input, as Ctrl-D makes it, the question would wait for ever.
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Error('No answer: nothing was changed.')))
  })
  try {
    return await Promise.race([lines.question(''), ended])
  } finally {
    lines.close()
    if (isHidden) endQuestion()
  }
}
