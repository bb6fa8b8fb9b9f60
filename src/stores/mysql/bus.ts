import { times } from '../../rules/limits.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { localBus, topicName, type ClosableBus } from '../local-bus.ts'
import type { Query } from './connection.ts'
import { messageSql as sql } from './queries.ts'

const KEEP_MS = times.busKeepSeconds * 1000

/**
 * The time after which no transaction with an earlier number commits any more. A message gets its
 * number before its transaction commits, so messages appear out of order.
 */
const SETTLED_MS = 5000

/**
 * Creates the bus. MySQL does not notify its clients, so each node reads the new messages at an
 * interval. A node also reads them right after it has sent one and before it adds a listener. A
 * topic is stored as its hash, so that a long one fits and the table shows no names.
 */
export function mysqlBus(query: Query, pollSeconds: number): ClosableBus {
  const local = localBus()
  const read = createReader(query, {
    onMessage: (topic, message) => local.publish(topic, message),
    onGap: () => local.interrupted(),
  })
  const deleteOld = createCleaning(query)
  // Concurrent subscriptions share a query, which starts after the last of them.
  const readNew = batchPerTick(async (all: readonly [][]) => {
    await read()
    return all.map(() => undefined)
  })
  let timer: NodeJS.Timeout | null = null
  const readInBackground = (): void => void readNew().catch(ignore)
  return {
    async publish(topic, message) {
      await query(sql.send, topicName(topic), message)
      if (timer !== null) readInBackground()
      deleteOld()
    },
    async subscribe(topic, onTopic) {
      await readNew()
      timer ??= setInterval(readInBackground, pollSeconds * 1000).unref()
      return local.subscribe(topicName(topic), onTopic)
    },
    close() {
      if (timer !== null) clearInterval(timer)
    },
  }
}

/** Ignores a failure: the next call tries again, and the reader notices a long gap. */
function ignore(): void {}

interface BusRow {
  readonly seq: number
  readonly topic: string
  readonly message: string
}

interface Receiver {
  readonly onMessage: (topic: string, message: string) => void
  /** Called when messages may have been deleted or lost unread. */
  readonly onGap: () => void
}

/**
 * Creates a reader of new messages; the first call only finds out where they begin. It reads the
 * latest messages again until they are settled, and delivers each once. After a failover or a
 * restored backup the server may lack the latest ones and use their numbers again; the reader then
 * begins anew.
 */
function createReader(query: Query, { onMessage, onGap }: Receiver): () => Promise<void> {
  /** Every message up to this number has been delivered. */
  let settled: number | null = null
  /** The later ones that have been delivered, and when, on the monotonic clock. */
  const delivered = new Map<number, number>()
  /** The highest number that was read. */
  let latest = 0
  let lastRead = thisMoment()

  async function begin(started: Moment): Promise<void> {
    const [last] = (await query<Pick<BusRow, 'seq'>>(sql.latest)).rows
    settled = latest = last?.seq ?? 0
    delivered.clear()
    lastRead = started
  }

  async function beginAnew(started: Moment): Promise<void> {
    await begin(started)
    onGap()
  }

  function deliver(messages: readonly BusRow[], now: number): void {
    for (const { seq, topic, message } of messages) {
      // Another read may have settled it since this one began.
      if (seq <= (settled ?? 0) || delivered.has(seq)) continue
      delivered.set(seq, now)
      latest = Math.max(latest, seq)
      onMessage(topic, message)
    }
  }

  function settle(from: number, now: number): void {
    const old = [...delivered].filter(([, at]) => at < now - SETTLED_MS).map(([seq]) => seq)
    settled = Math.max(from, ...old)
    for (const seq of delivered.keys()) if (seq <= settled) delivered.delete(seq)
  }

  return async () => {
    const now = thisMoment()
    if (settled === null) return begin(now)
    if (msSince(lastRead) > KEEP_MS / 2) return beginAnew(now)
    const known = latest
    const { rows } = await query<BusRow>(sql.readAfter, settled)
    // Without any message nothing is known, as old ones are deleted.
    if ((rows.at(-1)?.seq ?? known) < known) return beginAnew(now)
    lastRead = now
    deliver(rows, now.monotonic)
    settle(settled, now.monotonic)
  }
}

/** Creates the removal of old messages, which runs once in the time that they are kept. */
function createCleaning(query: Query): () => void {
  let last: Moment | null = null
  return () => {
    if (last !== null && msSince(last) < KEEP_MS) return
    last = thisMoment()
    query(sql.deleteOld, KEEP_MS).catch(ignore)
  }
}

/** A time on the clock of the machine and on the monotonic clock. */
interface Moment {
  readonly wall: number
  readonly monotonic: number
}

function thisMoment(): Moment {
  return { wall: Date.now(), monotonic: performance.now() }
}

/** Returns the longer time: a clock can be set back, and the monotonic clock stops during sleep. */
function msSince({ wall, monotonic }: Moment): number {
  return Math.max(Date.now() - wall, performance.now() - monotonic)
}
