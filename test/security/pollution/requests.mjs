import { createServer } from 'node:http'
import { connect } from 'node:net'

/** Passes a request to a request log: from a Node server, or with the Fetch API. */
export async function requests(log, { fetch: isFetch = false } = {}) {
  if (isFetch) {
    const answer = log(() => new Response('done', { status: 201 }))
    await answer(new Request('http://127.0.0.1/orders/17?token=hidden&page=2', { headers: { 'x-request-id': 'r1' } }))
    return
  }
  const server = createServer((request, response) => log(request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise((resolve, reject) => {
    const socket = connect(server.address().port, '127.0.0.1')
    socket.on('error', reject).on('close', resolve).resume()
    socket.end(
      'GET /orders/17?token=hidden&page=2 HTTP/1.1\r\nhost: shop\r\nx-request-id: r1\r\nconnection: close\r\n\r\n',
    )
  })
  await new Promise((resolve) => server.close(resolve))
}
