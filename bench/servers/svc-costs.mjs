import { countStatements } from './count-statements.mjs'

/* The reference panel, reporting the queries of each step, and sending notifications. */

const count = countStatements()
const { startBenchPanel } = await import('./panel.mjs')
const { port, panel } = await startBenchPanel(process.argv.slice(2))

const orders = {
  tell: async () => count(),
  async notify(email) {
    const person = await panel.users.findByEmail(email)
    await panel.auth.notify(person, {
      type: 'bench',
      via: () => ['database'],
      toDatabase: () => ({ title: 'Invoice 7 has been paid', url: '/invoices/7' }),
    })
  },
}

process.on('message', ({ order, value }) => {
  void orders[order](value).then((answer) =>
    process.send({ answer: structuredClone(answer) ?? null }),
  )
})
process.on('disconnect', () => process.exit())
process.send({ port })
