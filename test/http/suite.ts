import { captureLogs, type Captured, type CapturedRecord } from '../../src/entries/testing.ts'
import type { RequestLogOptions } from '../../src/entries/http.ts'
import { waitUntil } from '../support/wait-until.ts'
import { controlledHandlers, type Control, type Host, type Running } from './host.ts'

/** A server of a framework for one test, with its captured records. */
export interface Served extends Running {
  readonly logs: Captured
  readonly control: Control
  readonly origin: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Resolves to the completion records when there are at least `count`. */
  ends(count: number): Promise<readonly CapturedRecord[]>
}

/** Starts a server for the duration of a test. */
export async function serving<T>(
  host: Host,
  options: Omit<RequestLogOptions, 'logger'>,
  test: (served: Served) => Promise<T>,
): Promise<T> {
  using logs = captureLogs()
  const control = controlledHandlers(logs.logger)
  const running = await host.start({ ...options, logger: logs.logger }, control.handlers)
  const origin = `http://127.0.0.1:${running.port}`
  try {
    return await test({
      ...running,
      logs,
      control,
      origin,
      fetch: (path, init) => fetch(origin + path, { redirect: 'manual', ...init }),
      async ends(count) {
        await waitUntil(() => endsOf(logs).length >= count && running.stats().open === 0)
        return endsOf(logs)
      },
    })
  } finally {
    control.release()
    await running.close()
  }
}

export function endsOf(logs: Captured): readonly CapturedRecord[] {
  return logs.records.filter(({ attributes }) => 'http.server.request.duration' in attributes)
}
