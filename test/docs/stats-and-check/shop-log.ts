/** Writes the log of a shop for the examples of a guide: about one record each three seconds, for half an hour. */
export function shopLog(): string {
  const lines: string[] = []
  const start = Date.UTC(2026, 10, 21, 9, 30)
  const numbers = new Map<string, number>()
  for (let index = 1; index <= 600; index++) {
    const time = start + index * 3_000 + ((index * 997) % 2_000)
    const id = 40_000 + ((index * 7_919) % 9_000)
    // Slow in the last third.
    const duration = ((index * 613) % 180) / 1_000 + (index > 400 && index % 9 === 0 ? 2.5 : 0.004)
    const isFailed = index > 400 && index % 18 === 0
    const isMail = index % 5 === 0
    const service = isMail ? 'mail' : 'shop'
    const number = (numbers.get(service) ?? 0) + 1
    numbers.set(service, number)
    const trace = (index * 2_654_435_761).toString(16).padStart(32, '0')
    lines.push(
      line(time, isFailed ? 'error' : isMail && index % 50 === 0 ? 'warn' : 'info', {
        message: isFailed
          ? `payment of order ${id} failed: "card declined"`
          : isMail
            ? `mail to user${id}@example.com is ${index % 50 === 0 ? 'delayed' : 'sent'}`
            : `POST /orders/${id}/payment 200 in ${Math.round(duration * 1_000)}ms`,
        trace_id: trace,
        'service.name': service,
        attributes: { seq: number, ...(!isMail && { 'http.server.request.duration': Number(duration.toFixed(3)) }) },
      }),
    )
  }
  lines.splice(
    451,
    0,
    line(start + 451 * 3_000, 'warn', {
      message: '42 records were dropped',
      'otel.event.name': 'sluice.records_dropped',
      'service.name': 'shop',
      attributes: { dropped: 42, by_reason: { queue_full: 42 }, by_level: { debug: 40, info: 2 } },
    }),
  )
  lines.splice(300, 0, 'Warning: DEP0040 is deprecated')
  return lines.map((text) => `${text}\n`).join('')
}

/** Returns the log with a missing record, a repeated one, two that are written into each other, and a truncated end. */
export function damagedLog(): string {
  const lines = shopLog()
    .split('\n')
    .filter((text) => text.startsWith('{') && !text.includes('records_dropped'))
  const [first, second] = [lines[99]!, lines[100]!]
  lines.splice(99, 2, first.slice(0, 60) + second)
  lines.splice(49, 1)
  lines.splice(19, 0, lines[17]!)
  return lines.join('\n').slice(0, -20)
}

function line(time: number, level: string, members: object): string {
  return JSON.stringify({ timestamp: new Date(time).toISOString(), level, ...members })
}
