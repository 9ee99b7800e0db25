// What a user's own code looks like to the compiler, from the outside of the package.
import * as ashlar from 'ashlar'

export const names: string[] = Object.keys(ashlar)
