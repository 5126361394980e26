import { describe, expect, it } from 'vitest'
import { screenJson } from './json.ts'

describe('screenJson', () => {
  it('is a problem document', () => {
    expect(JSON.parse(screenJson({ status: 404 }))).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This page could not be found.',
    })
  })

  it('carries the digest and a title', () => {
    expect(JSON.parse(screenJson({ status: 418, title: 'Teapot', digest: '01JDM3' }))).toEqual({
      type: 'about:blank',
      title: 'Teapot',
      status: 418,
      detail: 'An unexpected error has occurred',
      digest: '01JDM3',
    })
  })
})
