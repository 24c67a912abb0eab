import { isDeepStrictEqual } from 'node:util'
import { messages, paths } from '../scenarios/payload.ts'
import { sluice } from './sluice.ts'

/** How many records differ: few enough that the finished text of each can be made before the clock starts. */
export const partRecords = messages.length

/** Record number `index` of the bounds: the same ones over and over, in one order. */
export function partRecord(index: number): { readonly message: string; readonly attributes: object } {
  const seq = index % partRecords
  return { message: messages[seq]!, attributes: { seq, path: paths[seq % paths.length], status: 200 } }
}

/** @throws Error when a text, which nobody will read, is not the line of record number `index`. */
export function checkText(text: string, index: number): void {
  const { message, attributes } = sluice.read(JSON.parse(text) as Readonly<Record<string, unknown>>)
  if (isDeepStrictEqual({ message, attributes }, partRecord(index))) return
  throw new Error(`the text that is thrown away is not that of the record: ${text}`)
}
