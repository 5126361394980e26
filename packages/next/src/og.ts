/** Pictures that are drawn from elements are not there yet. */
export class ImageResponse extends Response {
  constructor(_element: unknown, _options?: unknown) {
    super(null)
    throw new Error(
      'ImageResponse is not there yet: put a picture file beside the page (opengraph-image.png), or name one in metadata.openGraph.images.',
    )
  }
}
