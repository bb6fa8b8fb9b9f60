/** The result of a change when another request has changed the factor meanwhile. */
export const CHANGED = Symbol('changed')

/** Others change the codes and devices of a user at most as often as there are some. */
const MAX_TRIES = 100

/** Repeats a change of a user's factor until nobody else has changed it meanwhile. */
export async function retried<Result>(
  userId: string,
  change: () => Promise<Result | typeof CHANGED>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await change()
    if (result !== CHANGED) return result
  }
  throw new Error(`the second factor of the user ${userId} cannot be replaced`)
}
