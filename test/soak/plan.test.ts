import { describe, expect, test } from '@jest/globals'
import { planText } from './plan-text.ts'
import { planOf, type Step } from './plan.ts'

const HOUR = 3_600_000
const seeds = [0, 1, 2, 3, 4_294_967_295]

describe('soak plans', () => {
  test.each(seeds)('a plan of seed %d is the same each time it is created, and has the same text', (seed) => {
    expect(planOf(seed, HOUR)).toEqual(planOf(seed, HOUR))
    expect(planText(planOf(seed, HOUR))).toBe(planText(planOf(seed, HOUR)))
  })

  test('plans of different seeds differ', () => {
    const texts = seeds.map((seed) => planText({ ...planOf(seed, 300_000), seed: 0 }))
    expect(new Set(texts).size).toBe(seeds.length)
  })

  test.each([8_000, 30_000, 300_000, HOUR])('a plan of %d ms ends in time, with a calm moment', (millis) => {
    const { steps } = planOf(7, millis)
    for (const step of steps) expect('until' in step ? step.until : step.at).toBeLessThanOrEqual(millis)
    expect('calm' in steps.at(-1)!).toBe(true)
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((one, other) => one - other))
  })

  test('a plan has no fault in calm moments', () => {
    const { steps } = planOf(7, HOUR)
    for (const calm of steps.filter((step) => 'calm' in step)) {
      const others = steps.filter((step) => !('calm' in step) && step.at < calm.until && endOf(step) > calm.at)
      expect(others).toEqual([])
    }
  })

  test('a plan never has two faults of one kind at the same time', () => {
    const faults = planOf(7, HOUR).steps.filter((step) => 'fault' in step)
    for (const step of faults) {
      const target = targetOf(step)
      const same = faults.filter((other) => other !== step && targetOf(other) === target)
      expect(same.filter(({ at, until }) => at < step.until && until > step.at)).toEqual([])
    }
  })

  test('a plan of an hour has every kind of fault and every kind of exit', () => {
    const text = planText(planOf(7, HOUR))
    for (const row of [1, 2, 3, 5, 6, 9, 10, 11, 14, 15, 17, 18, 24, 27, 37, 38, 39, 40, 41, 45])
      expect(text).toContain(`(row ${row})`)
  })

  test('a plan never ends the first application, whose growth is checked', () => {
    const ends = planOf(7, HOUR).steps.filter((step) => 'act' in step && step.act.do === 'end')
    expect(ends.length).toBeGreaterThan(50)
    expect(ends.every((step) => 'application' in step && step.application !== 0)).toBe(true)
  })
})

function endOf(step: Step): number {
  return 'until' in step ? step.until : step.at + 1
}

/** Returns what a fault affects. Faults of the proxy and of the collector exclude each other. */
function targetOf({ application, fault }: Extract<Step, { fault: unknown }>): string {
  return `${application} ${fault.on === 'proxy' ? 'collector' : fault.on}`
}
