import type { TestRecord } from '../support.ts'

/** Markup and scripts that would set `hacked`, open a dialog or send a request if the page did not treat them as text. */
const markups = [
  `<script>hacked = 1</script>`,
  `<img src=x onerror="hacked = 1">`,
  `<svg onload="hacked = 1">`,
  `"><script>alert(1)</script>`,
  `' onmouseover='hacked = 1' x='`,
  `</title></textarea></style><script>hacked = 1</script>`,
  `<a href="javascript:hacked = 1" id="records">link</a>`,
  `<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>`,
  `<style>* { display: none }</style>`,
  `<link rel="stylesheet" href="http://127.0.0.1:9/x.css">`,
  `{{constructor.constructor('hacked = 1')()}}`,
  `\${hacked = 1}`,
  `javascript:hacked = 1`,
  `<!--<script>hacked = 1</script>-->`,
  `<form action="http://127.0.0.1:9/"><button autofocus>send</button></form>`,
] as const

/** Text that is not visible, has no end, or changes the order or the size of other text. */
const texts = [
  '\u0000\u0001\u001b[31mred\u001b[0m\u0007',
  'first\r\nsecond\nthird\ttab',
  '\u202eright to left\u202c\u2066\u2067',
  'e' + '\u0301'.repeat(500),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\ufeff\u200b',
  '\ud800 half a character',
  ' '.repeat(3_000) + 'end',
  'W'.repeat(20_000),
  '\n'.repeat(5_000),
  'ﷺ'.repeat(300),
] as const

const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'dangerouslySetInnerHTML',
  'children',
  'key',
  'ref',
] as const

const megabytes = 1024 * 1024

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? { next: value } : [value]
  return value
}

/** Returns an object with any key as its own. */
function withKey(key: string, value: unknown): Record<string, unknown> {
  return Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true })
}

/** 58 records that a viewer must show as nothing but text. */
export const hostileRecords: readonly TestRecord[] = [
  ...[...markups, ...texts].map((text) => ({ body: text, attributes: { [text.slice(0, 100)]: text } })),
  ...markups.map((text) => ({
    body: 'in other fields',
    service: text,
    scope: text,
    eventName: text,
    severityText: text,
  })),
  ...keys.map((key) => ({ body: withKey(key, 'hacked'), attributes: withKey(key, { [key]: key }) })),
  { body: 'ten megabytes', attributes: { long: 'x'.repeat(10 * megabytes) } },
  { body: 'b'.repeat(10 * megabytes) },
  {
    body: 'many attributes',
    attributes: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at])),
  },
  { body: 'a long list', attributes: { list: Array.from({ length: 20_000 }, (_, at) => at) } },
  { body: nested(25), attributes: { nested: nested(25) } },
  { body: 'bytes', attributes: { bytes: new Uint8Array(100_000) } },
  { body: 'numbers', attributes: { nan: NaN, infinite: -Infinity, big: Number.MAX_VALUE, zero: -0 } },
  {
    body: 'an exception',
    attributes: {
      'exception.type': markups[0],
      'exception.message': markups[1],
      'exception.stacktrace': `Error\n${`    at <img src=x onerror="hacked = 1"> (${'a/'.repeat(200)}x.js:1:1)\n`.repeat(2_000)}`,
    },
  },
  { body: 'no time', time: 0 },
].map((record, at) => Object.assign({ time: Date.UTC(2026, 0, 1) + at, severityNumber: 9 }, record))
