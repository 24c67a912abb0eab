// The scenario of the entry `level-control`: changes in code, over HTTP and at a signal.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { clock, keepingExporter } from './support.mjs'

const token = 'correct-horse-battery-staple'

/** Sends a request to a Node server, without Node's client, which reads inherited members. Returns the response without its date. */
async function send(server, method, path, type = '', body = '') {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: here',
    `authorization: Bearer ${token}`,
    'connection: close',
    ...(type === '' ? [] : [`content-type: ${type}`, `content-length: ${body.length}`]),
  ]
  let text = ''
  await new Promise((resolve, reject) => {
    const socket = connect(server.address().port, '127.0.0.1')
    socket.on('error', reject).on('close', resolve)
    socket.on('data', (chunk) => (text += chunk))
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
  return text.replace(/^date:.*\r\n/im, '').replace(/"remainingMillis": \d+/g, '')
}

/** A request as the Fetch API has it, without its classes, which read inherited members. */
function fetchRequest(method, headers, body) {
  const bytes = new TextEncoder().encode(body)
  const source = {
    __proto__: null,
    pull(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  }
  return {
    method,
    url: 'http://here/levels',
    headers: { get: (name) => new Map([['authorization', `Bearer ${token}`], ...headers]).get(name) ?? null },
    bodyUsed: false,
    body: body === undefined ? null : new ReadableStream(source),
  }
}

function thrownBy(callee) {
  try {
    return callee()
  } catch (error) {
    return String(error.message)
  }
}

export async function levelControlScenario(load) {
  const { createLogger } = await load('index')
  const { jsonLines } = await load('exporters')
  const { levelControl, levelsHandler, toggleLevelsOnSignal } = await load('level-control')
  return async () => {
    const { lines, exporter } = keepingExporter(jsonLines())
    const log = createLogger({ clock, exporter, handleExit: false, name: 'app' })
    const database = log.child({ tenant: 'a' }, { name: 'db' })
    const control = levelControl()
    const change = control.set('db[tenant=a]=debug', { forMillis: 600_000 })
    database.debug('in code')
    change.revert()
    const levels = levelsHandler({ token: [{ token, label: 'label' }] })
    const server = createServer((request, response) => levels(request, response))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const responses = [
      await send(server, 'PUT', '/?for=1m', 'text/plain', 'db=debug'),
      await send(server, 'PUT', '/', 'application/json', '{"directives":"app=warn","forMillis":60000}'),
      await send(server, 'PUT', '/', 'application/json', '{"forMillis":60000}'),
      await send(server, 'PUT', '/', 'text/plain', 'db=debgu'),
      await send(server, 'GET', '/'),
      await send(server, 'POST', '/'),
      await send(server, 'DELETE', '/'),
    ]
    const answers = []
    for (const request of [
      fetchRequest('PUT', [['content-type', 'text/plain']], 'db=trace'),
      fetchRequest('DELETE', []),
      fetchRequest('GET', [['authorization', 'Bearer wrong']]),
    ]) {
      const response = await levels(request)
      answers.push([
        response.status,
        [...response.headers],
        (await response.text()).replace(/"remainingMillis": \d+/g, ''),
      ])
    }
    await new Promise((resolve) => server.close(resolve))
    const listener = toggleLevelsOnSignal('SIGUSR2', '*=debug')
    process.emit('SIGUSR2')
    log.debug('at a signal')
    listener.stop()
    const errors = [
      thrownBy(() => levelsHandler({})),
      thrownBy(() => levelsHandler({ token: [{ token }] })),
      thrownBy(() => control.set('db=loud')),
      thrownBy(() => toggleLevelsOnSignal('SIGTERM', '')),
    ]
    await log.flush()
    return { lines, responses, answers, errors, loggers: control.describe().loggers }
  }
}
