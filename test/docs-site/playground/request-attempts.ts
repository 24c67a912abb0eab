import { frameDocument } from '../../../docs/site/.vitepress/playground/frame-document.ts'

/** Returns a program that tries to send something to an address in each way, and writes a line for each. */
export function requestProgram(target: string): string {
  return `const target = '${target}'
const names = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'importScripts',
  'indexedDB', 'caches', 'Worker', 'SharedWorker', 'BroadcastChannel', 'FontFace', 'RTCPeerConnection']
console.log('globals', names.filter((name) => typeof globalThis[name] !== 'undefined').join())
const moduleOf = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
const attempts = {
  fetch: () => fetch(target),
  originalFetch: () => Object.getPrototypeOf(Object.getPrototypeOf(globalThis)).fetch.call(globalThis, target),
  import: () => import(target),
  dataImport: () => import(['data:text/javascript,export default 1'][0]),
  importInModule: () => import(moduleOf("await import('" + target + "')")),
  beacon: () => navigator.sendBeacon(target),
  font: () => new FontFace('x', 'url(' + target + ')').load(),
  storage: () => navigator.storage.getDirectory(),
  location: () => { location.href = target; throw new Error('ignored') },
}
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); console.log(name, 'worked') } catch { console.log(name, 'failed') }
}`
}

/** The code of a worker that receives an address, tries to send something to it in each way, and sends the outcomes. */
export const requestWorker = `const outcomes = []
const attempt = async (name, run) => {
  try { await run(); outcomes.push(name + ' worked') } catch { outcomes.push(name + ' failed') }
}
const opened = (target) => new Promise((resolve, reject) => { target.onopen = resolve; target.onerror = reject })
onmessage = async ({ data: target, ports: [port] }) => {
  await attempt('fetch', () => fetch(target))
  await attempt('XMLHttpRequest', () => { const request = new XMLHttpRequest(); request.open('GET', target, false); request.send() })
  await attempt('WebSocket', () => opened(new WebSocket(target.replace('http', 'ws'))))
  await attempt('EventSource', () => opened(new EventSource(target)))
  await attempt('importScripts', () => importScripts(target))
  await attempt('import', () => import(target))
  await attempt('WebTransport', () => new WebTransport(target.replace('http', 'https')).ready)
  await attempt('FontFace', () => new FontFace('x', 'url(' + target + ')').load())
  await attempt('indexedDB', () => indexedDB.open('x'))
  await attempt('caches', () => caches.open('x'))
  port.postMessage(outcomes)
}`

/** Returns an expression that starts a worker in a frame like that of the playground, sends it a value, and is a promise of its message. */
export function startInFrame(workerCode: string, request: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.srcdoc = ${JSON.stringify(frameDocument)}
    frame.onload = () => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => resolve(data)
      frame.contentWindow.postMessage(${JSON.stringify({ workerCode, request })}, '*', [port2])
    }
    document.body.append(frame)
  })`
}
