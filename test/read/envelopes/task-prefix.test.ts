import { describe, expect, it } from '@jest/globals'
import { readBytes, recordIn } from '../lines/read-bytes.ts'

const json = '{"level":50,"time":1795254963123,"msg":"failed"}'

describe('TaskPrefixes', () => {
  it.each([
    ['[0] ', '0'],
    ['[api] ', 'api'],
    ['[npm:dev] ', 'npm:dev'],
    ['\u001B[34m[api]\u001B[39m ', 'api'],
    ['api:dev: ', 'api:dev'],
    ['@shop/api:dev: ', '@shop/api:dev'],
    ['apps/api dev: ', 'apps/api dev'],
    ['. dev: ', '. dev'],
  ])('unwraps a record after %j', (prefix, container) => {
    expect(recordIn(prefix + json)).toMatchObject({ level: 'error', message: 'failed', origin: { container } })
  })

  it('unwraps other lines only after a name that was before JSON', () => {
    const lines = ['[api] info: early', `[api] ${json}`, '[api] info: late', '[web] info: other']
    expect(readBytes(lines.join('\n')).map(({ record, origin }) => [origin.container, record?.message])).toEqual([
      [undefined, undefined],
      ['api', 'failed'],
      ['api', 'late'],
      [undefined, undefined],
    ])
  })

  it.each([
    '[INFO] {"message":"m"}',
    '[error] {"message":"m"}',
    'response: {"message":"m"}',
    'response body: {"message":"m"}',
    '[api] {"order":1}',
    '[api] {"message":"cut',
    'api:dev {"message":"m"}',
  ])('does not unwrap %j', (line) => {
    expect(readBytes(line).map(({ record, origin }) => [origin.container, record])).toEqual([[undefined, undefined]])
  })
})
