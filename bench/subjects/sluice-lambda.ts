import { sluiceSubject } from './sluice.ts'

/** As it is in AWS Lambda. */
export const sluiceLambda = sluiceSubject(
  {
    title: 'sluice, profile: "lambda" (in a microtask, onFull: "block", 4 MiB)',
    whenFull: 'waits for the reader beyond 4 MiB',
  },
  {},
  { profile: 'lambda' },
)
