import type { StopReason } from './messages.ts'

const outcomes: Readonly<Record<StopReason, string>> = {
  noAnswer: 'was stopped, because it did not answer for 1 s.',
  notStarted: 'could not be started. Reload the page.',
  timeLimit: 'was stopped, because it did not end.',
  tooMuchOutput: 'was stopped, because it wrote too much output.',
}

/** Returns a sentence about why the page stopped a program or a test of redaction rules. */
export function stopText(reason: StopReason, stopped: 'program' | 'test'): string {
  const cause = reason === 'noAnswer' && stopped === 'program' ? ' It probably has an endless loop.' : ''
  return `The ${stopped} ${outcomes[reason]}${cause}`
}
