import { expect, test } from 'vitest'
import { collectInsertedHtml } from './insertedHtml.tsx'

test('what is inserted is asked for at each flush', () => {
  const { add, take } = collectInsertedHtml(() => {}, undefined)
  const rules = ['a', 'b']
  add(() => <style>{rules.splice(0, 1)}</style>)
  expect([take(), take()]).toEqual(['<style>a</style>', '<style>b</style>'])
})

test('scripts and styles get the nonce of the document, and keep one that they have', () => {
  const { add, take } = collectInsertedHtml(() => {}, 'n1')
  add(() => [<style key="a">a</style>, <script key="b" nonce="own" />, <p key="c">c</p>])
  add(() => (
    <>
      <script id="d" />
      {null}
    </>
  ))
  expect(take()).toBe(
    '<style nonce="n1">a</style><script nonce="own"></script><p>c</p><script id="d" nonce="n1"></script>',
  )
})

test('a callback that throws is reported, and the others are inserted', () => {
  const thrown: unknown[] = []
  const { add, take } = collectInsertedHtml((each) => thrown.push(each), undefined)
  const error = new Error('no styles')
  add(() => {
    throw error
  })
  add(() => <style>b</style>)
  expect(take()).toBe('<style>b</style>')
  expect(thrown).toEqual([error])
})
