/** Returns a function that sends orders to a process, several at once, and waits for their answers. */
export function ordersTo(child) {
  const waiting = new Map()
  let last = 0
  child.on('message', ({ number, answer }) => waiting.get(number)?.(answer))
  return async (name, value) => {
    const number = (last += 1)
    const answer = new Promise((resolve) => waiting.set(number, resolve))
    child.send({ number, order: name, value })
    return answer.finally(() => waiting.delete(number))
  }
}

/** Answers the orders that a process is sent, each by the function of its name. */
export function obey(orders) {
  process.on('message', ({ number, order, value }) => {
    void orders[order](value).then((answer = null) => process.send({ number, answer }))
  })
  process.on('disconnect', () => process.exit())
}
