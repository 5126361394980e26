import assert from 'node:assert/strict'
import type { CaseGroup } from './case.ts'
import { eventually, findScript, renderedNumber } from './testedPages.ts'

export const pages: CaseGroup = {
  title: 'Pages and files',
  cases: [
    {
      name: 'a static page and its data come from the build',
      async run({ read }) {
        const number = renderedNumber(await read('/'))
        assert.equal(renderedNumber(await read('/')), number)
        assert.equal(renderedNumber(await read('/_waymark/data.rsc')), number)
      },
    },
    {
      name: 'files have their bytes and types, at any spelling of their URL',
      async run(host) {
        assert.equal(await host.read('/robots.txt'), 'User-agent: *\nAllow: /\n')
        for (const target of ['/a%20b/gr%C3%B6%C3%9Fe.svg', '/%61%20b/gr%c3%b6%c3%9fe.svg']) {
          const picture = await host.send(target)
          assert.equal(picture.headers.get('content-type'), 'image/svg+xml')
          assert.match(await picture.text(), /<svg/)
        }
        const script = await host.send(await findScript(host))
        await script.body?.cancel()
        assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
      },
    },
    {
      name: 'a URL without a route gets the not-found page with the status 404',
      async run({ send }) {
        const missing = await send('/nowhere/at/all', { headers: { accept: 'text/html' } })
        assert.equal(missing.status, 404)
        assert.match(await missing.text(), /404/)
      },
    },
    {
      name: 'a missing script gets a 404 in plain text, not a page',
      needs: ['requests'],
      async run({ send }) {
        const script = await send('/_waymark/assets/none.js')
        assert.equal(script.status, 404)
        assert.doesNotMatch(await script.text(), /<html/)
      },
    },
    {
      name: 'redirects and static route handlers have their status and type',
      needs: ['headers'],
      async run({ send }) {
        const old = await send('/old')
        assert.deepEqual([old.status, old.headers.get('location')], [308, '/about'])
        assert.equal((await send('/about/')).headers.get('location'), '/about')
        const feed = await send('/feed.xml')
        assert.equal(feed.headers.get('content-type'), 'application/xml')
        assert.equal(await feed.text(), '<feed/>')
      },
    },
    {
      name: 'a page that is rendered for each request reads its query',
      needs: ['requests'],
      async run({ read }) {
        assert.match(await read('/search?q=peaks'), /Search peaks/)
        assert.match(await read('/search?q=a%26b'), /Search a&amp;b/)
      },
    },
    {
      name: 'a page that throws has the status 500 and a digest, and no text of the error',
      needs: ['requests'],
      async run({ send }) {
        const broken = await send('/broken', { headers: { accept: 'text/html' } })
        const text = await broken.text()
        assert.equal(broken.status, 500)
        const digest = broken.headers.get('x-waymark-digest')
        assert.ok(digest, 'The response has no digest.')
        assert.ok(text.includes(digest), 'The page does not show the digest.')
        assert.doesNotMatch(text, /secret of the page/)
      },
    },
    {
      name: 'a malformed URL gets a 400',
      needs: ['requests'],
      async run({ sendRaw }) {
        assert.equal((await sendRaw('/%zz')).status, 400)
      },
    },
    {
      name: 'a target with two slashes stays on the host',
      needs: ['requests'],
      async run({ sendRaw }) {
        const { status, headers, text } = await sendRaw('//evil.example/request')
        assert.ok(status < 500, `The status is ${status}.`)
        assert.doesNotMatch(headers.get('location') ?? '', /^(?:https?:)?\/\/evil/)
        assert.doesNotMatch(text, /"url":"https?:\/\/evil\.example/)
      },
    },
    {
      name: 'a partial page has the shell of the build, and its holes are for one visitor',
      needs: ['requests'],
      async run({ read }) {
        const textFor = (name: string) => read('/partial', { headers: { cookie: `name=${name}` } })
        await eventually(async () => {
          const [ada, bob] = [await textFor('ada'), await textFor('bob')]
          assert.match(ada, /name ada/)
          assert.match(bob, /name bob/)
          assert.equal(renderedNumber(ada), renderedNumber(bob))
        })
      },
    },
  ],
}
