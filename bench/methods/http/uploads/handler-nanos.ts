import { handleUpload } from './handler.ts'

const warmUps = 20
const rounds = 50

/**
 * Returns the CPU time of the handler per row without logging, in ns: an upload is decoded, parsed and hashed. CPU time does not depend
 * on other processes.
 */
export function handlerNanos(body: Buffer, rows: number): number {
  repeat(warmUps, body)
  const cpu = process.cpuUsage()
  repeat(rounds, body)
  const { user, system } = process.cpuUsage(cpu)
  return ((user + system) * 1_000) / (rounds * rows)
}

function repeat(times: number, body: Buffer): void {
  for (let i = 0; i < times; i++) handleUpload(body.toString(), () => {})
}
