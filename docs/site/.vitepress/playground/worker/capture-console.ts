import type { OutputSink } from './output-sink.ts'
import { consoleText } from './plain-text.ts'

const methods = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'] as const

/** Replaces the methods of the console, so that their text is shown. */
export function captureConsole(sink: OutputSink, target: Console): void {
  for (const method of methods) {
    target[method] = (...values: unknown[]) => sink.addLine(method, values.map(consoleText).join(' '))
  }
}
