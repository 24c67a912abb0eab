// Uses the Node APIs that this package depends on. If Node itself fails with a name, nothing can be guaranteed for that name.
import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, write } from 'node:fs'
import { requests } from './requests.mjs'
import { writable } from './support.mjs'

export async function control() {
  await import('./empty.mjs')
  return async (directory) => {
    const path = `${directory}/control.log`
    const fd = openSync(path, 'a', 0o600)
    const wrote = await new Promise((resolve, reject) =>
      write(fd, Buffer.from('line\n'), 0, 5, null, (error, count) => (error ? reject(error) : resolve(count))),
    )
    fsyncSync(fd)
    closeSync(fd)
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    const { lines, stream } = writable()
    stream.write('streamed')
    const objects = writable(true)
    objects.stream.write({ a: 1 })
    const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const answer = new Promise((resolve) => child.stdout.on('data', (chunk) => resolve(String(chunk))))
    child.stdin.end('to the child')
    const received = await answer
    await new Promise((resolve) => child.on('close', resolve))
    const silent = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
    await new Promise((resolve) => silent.on('close', resolve))
    const served = []
    await requests((request, response) => {
      served.push(request.method, request.url, request.headers, typeof request.socket.remoteAddress)
      response.on('finish', () => served.push(response.writableFinished)).end('done')
    })
    const request = new Request('http://127.0.0.1/orders', { headers: { 'x-request-id': 'r1' } })
    const { status } = new Response('done', { status: 201 })
    console.log('printed %d', 1, { a: [1] })
    return { wrote, text, lines, objects: objects.lines.length, received, served, url: request.url, status }
  }
}
