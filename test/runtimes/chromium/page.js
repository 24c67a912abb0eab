// node page.js FOLDER PROGRAM GUIDE COLLECTOR: runs programs in a page, with the modules in the folder. Prints the results as JSON.
import { readFileSync, readdirSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const [, , folder, program, guide, collector] = process.argv
const imports = '<script type="importmap">{"imports":{"sluice/core":"/dist/core.js"}}</script>'
const modules = readdirSync(folder).filter((name) => name.endsWith('.js'))
const files = {
  ...Object.fromEntries(
    modules.map((name) => [`/dist/${name}`, ['text/javascript', readFileSync(join(folder, name))]]),
  ),
  '/program.js': ['text/javascript', readFileSync(program)],
  '/guide.js': ['text/javascript', readFileSync(guide)],
  '/program': ['text/html', `<!doctype html>${imports}<script type="module" src="/program.js"></script>`],
  '/guide': ['text/html', `<!doctype html>${imports}<script type="module" src="/guide.js"></script>`],
  '/': ['text/html', '<!doctype html>'],
}
let relayed = () => {}
/** Forwards requests of the page to its own host to the collector. */
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const chunks = await Array.fromAsync(request)
    const { headers } = request
    const { status } = await fetch(collector, {
      method: 'POST',
      headers: { 'content-type': headers['content-type'] },
      body: Buffer.concat(chunks),
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    relayed()
    return
  }
  const [type, content] = files[request.url] ?? ['text/plain', '']
  // The policy forbids code from strings.
  response.writeHead(200, { 'content-type': type, 'content-security-policy': "script-src 'self' 'unsafe-inline'" })
  response.end(content)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`

const executablePath = process.env.CHROMIUM
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()
const printed = []
const errors = []
page.on('console', (message) => printed.push(message.text()))
page.on('pageerror', (error) => errors.push(String(error)))

await page.goto(`${origin}/program`)
const stats = await page.evaluate(`logByCore(new URL('/v1/logs', location.href).href)`)
await page.goto(`${origin}/guide`)
const sent = new Promise((resolve) => (relayed = resolve))
// The page is hidden before the delay of its first batch has passed.
await page.goto(`${origin}/`)
await sent
await browser.close()
server.close()
writeSync(1, JSON.stringify({ stats, printed, errors }))
