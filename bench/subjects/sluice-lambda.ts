import { sluiceSubject } from './sluice.ts'

/** sluice with the profile for AWS Lambda. */
export const sluiceLambda = sluiceSubject(
  {
    title: 'sluice, profile: "lambda" (in a microtask, onFull: "block", 4 MiB)',
    whenFull: 'waits for the reader over 4 MiB',
  },
  {},
  { profile: 'lambda' },
)
