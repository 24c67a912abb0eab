import { describe, expect, test } from '@jest/globals'
import {
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  type ResourceDetector,
} from '@opentelemetry/resources'
import { createBuiltInDetector, type DetectorName } from '../../src/otel/provider/resource-detectors.ts'
import { importOf, runChild } from '../support/processes/child.ts'

async function officialAttributes(detector: ResourceDetector): Promise<Record<string, unknown>> {
  const resource = detectResources({ detectors: [detector] })
  await resource.waitForAsyncAttributes?.()
  return resource.attributes
}

async function ownAttributes(
  name: DetectorName,
  options?: { includesCommandArgs: boolean },
): Promise<Record<string, unknown>> {
  const { attributes } = createBuiltInDetector(name, options).detect() as { attributes: Record<string, unknown> }
  const settled = Object.entries(attributes).map(async ([key, value]) => [key, await value] as const)
  return Object.fromEntries((await Promise.all(settled)).filter(([, value]) => value !== undefined))
}

describe('attributes of built-in resource detectors', () => {
  test('the host and os detectors return the attributes of the official detectors', async () => {
    expect(await ownAttributes('host')).toEqual(await officialAttributes(hostDetector))
    expect(await ownAttributes('os')).toEqual(await officialAttributes(osDetector))
  })

  test('the process detector returns the official attributes, and arguments only with includesCommandArgs', async () => {
    const official = await officialAttributes(processDetector)
    expect(await ownAttributes('process', { includesCommandArgs: true })).toEqual(official)
    const { 'process.command_args': args, ...withoutArguments } = official
    expect(args).toEqual(expect.arrayContaining([process.argv[0]]))
    expect(await ownAttributes('process')).toEqual(withoutArguments)
  })
})

test('the service instance ID is a random UUID that is the same in the whole process', async () => {
  const first = await ownAttributes('serviceinstance')
  expect(first).toEqual({
    'service.instance.id': expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f-]{17}$/),
  })
  expect(await ownAttributes('serviceinstance')).toEqual(first)
})

test('the process detector does not return an argument of an --eval program as the command', async () => {
  const program =
    importOf('{ createBuiltInDetector }', 'src/otel/provider/resource-detectors.ts') +
    `console.log(JSON.stringify([process.argv.at(-1), createBuiltInDetector('process').detect()]))`
  const { stdout } = await runChild({ args: ['--input-type=module', '--eval', program, 'SECRET'] })
  expect(JSON.parse(stdout)[0]).toBe('SECRET')
  expect(JSON.parse(stdout)[1]).toMatchObject({ attributes: { 'process.runtime.name': 'nodejs' } })
  expect(JSON.stringify(JSON.parse(stdout)[1])).not.toContain('SECRET')
})
