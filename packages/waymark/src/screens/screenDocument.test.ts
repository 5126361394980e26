import { describe, expect, it } from 'vitest'
import { screenJson } from './screenDocument.ts'

describe('screenJson', () => {
  it('is a problem document', () => {
    expect(JSON.parse(screenJson({ status: 404 }))).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This page could not be found.',
    })
  })

  it('has the digest, and a general title for a status without a phrase', () => {
    expect(JSON.parse(screenJson({ status: 418, digest: '01JDM3' }))).toEqual({
      type: 'about:blank',
      title: 'An unexpected error has occurred',
      status: 418,
      detail: 'An unexpected error has occurred',
      digest: '01JDM3',
    })
  })
})
