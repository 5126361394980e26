/** A picture of the experiment, drawn from three numbers. */
export type Photo = {
  readonly id: string
  readonly title: string
  /** Hue of the hills, height of the sun, seed of the ridges. */
  readonly drawing: readonly [hue: number, sun: number, seed: number]
}

/** All pictures, in the order of the page. */
export const photos: readonly Photo[] = [
  { id: 'first-light', title: 'First light', drawing: [38, 0.55, 3] },
  { id: 'north-ridge', title: 'North ridge', drawing: [200, 0.3, 11] },
  { id: 'above-the-fog', title: 'Above the fog', drawing: [225, 0.42, 5] },
  { id: 'larch-wood', title: 'Larch wood', drawing: [95, 0.34, 17] },
  { id: 'glacier', title: 'Glacier', drawing: [180, 0.25, 23] },
  { id: 'way-home', title: 'The way home', drawing: [15, 0.62, 29] },
]

export function findPhoto(id: string): Photo | undefined {
  return photos.find((photo) => photo.id === id)
}
