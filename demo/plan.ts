/** The size of the demo. Each server receives `requests` uploads of `rows` rows; the first `warmUp` uploads are not timed. */
export const plan = {
  rows: 1_000,
  warmUp: 60,
  rounds: 7,
  requestsPerRound: 60,
  inFlight: 4,
  limitSeconds: 60,
} as const

export const requests: number = plan.warmUp + plan.rounds * plan.requestsPerRound
