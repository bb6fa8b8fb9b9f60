import type { FileSource } from './driver.ts'
import type { WriteCall } from './store-writes.ts'

/** The data with which the thread starts. */
export interface ThreadData extends FileSource {
  /** Shared memory: 1 while the thread may wait for the disk, otherwise 0. */
  readonly inDisk: Int32Array
}

/** A message to the thread. */
export type ThreadRequest =
  | { readonly kind: 'write'; readonly id: number; readonly call: WriteCall }
  | { readonly kind: 'end' }

/** A message from the thread. */
export type ThreadReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly message: string
      /** The message of the driver. Its errors lose it when they are sent between threads. */
      readonly cause: string
    }
