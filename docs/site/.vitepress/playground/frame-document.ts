/**
 * The document of the frame that starts workers. The frame has an origin of its own, without the storage of the site. Its policy applies to its
 * workers too: they can load nothing but what they create themselves, so a program cannot send anything.
 */
export const frameDocument = `<!doctype html>
<title>Playground</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:">
<script>
addEventListener('message', ({ data: { workerCode, request }, ports }) => {
  const url = URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }))
  new Worker(url).postMessage(request, ports)
}, { once: true })
</script>`
