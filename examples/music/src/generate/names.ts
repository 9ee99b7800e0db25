import type { Random } from './random.js'

const qualities = words(
  'Amber Bitter Blue Broken Burning Copper Crooked Distant Electric Empty Faded Feral Gentle Golden Hidden Hollow Icy Ivory',
  'Last Lonely Lost Lucky Midnight Naked Northern Paper Patient Quiet Restless Rusty Sacred Silent Silver Slow Solar Stolen',
  'Tender Velvet Violet Wandering White Wild Winter Wooden Yellow Young',
)
const things = words(
  'Anchor Arrow Atlas Avenue Beacon Bridge Candle Canyon Cathedral Cinema Comet Compass Crow Dancer Desert Engine Falcon',
  'Feather Fever Forest Fountain Garden Ghost Harbour Horizon Hotel Island Jungle Kingdom Ladder Lantern Letter Lighthouse',
  'Machine Mirror Motel Mountain Ocean Orchard Parade Pilot Planet Radio Rain River Rocket Satellite Season Shadow Signal',
  'Station Stranger Summer Telephone Thunder Tiger Tower Train Valley Voyage Wave Whisper Window Wolf',
)
const activities = words(
  'Breathing Burning Calling Chasing Counting Crossing Dreaming Falling Following Holding Leaving Losing Waiting',
)
const firstNames = words(
  'Ada Amina Anders Bela Carmen Chidi Dana Elif Emil Farah Gita Hugo Ines Ivo Jana Kenji Lena Luca Mara Milo Nadia Nils',
  'Noor Olga Otis Paula Priya Quinn Rafael Rosa Samir Sofia Tara Tomas Uma Vera Wren Yara Yusuf Zoe',
)
const lastNames = words(
  'Abara Adler Almeida Bauer Brandt Castro Dahl Eriksen Fontaine Garcia Haddad Holm Ibarra Jansen Kato Keller Lindqvist',
  'Marsh Moreau Novak Okafor Petrov Quist Rahman Rossi Santos Sato Silva Tanaka Underwood Varga Weber Yilmaz Zamora',
)
const labels = words('Backroom Blacklight Fieldnote Granite Lowtide Nightjar Parallel Sidestreet Tinroof Upriver')
const moods = words(
  'Autumn Breakfast Cooking Evening Focus Friday Garden Monday Morning Party Rainy Running Sleepless Sunday Travel',
)

export function artistName(random: Random): string {
  const [quality, thing] = [random.oneOf(qualities), random.oneOf(things)]
  switch (random.below(4)) {
    case 0:
      return `The ${quality} ${thing}s`
    case 1:
      return `${quality} ${thing}`
    case 2:
      return `${thing} & ${random.oneOf(things)}`
    default:
      return personName(random)
  }
}

export function albumTitle(random: Random): string {
  switch (random.below(3)) {
    case 0:
      return `${random.oneOf(qualities)} ${random.oneOf(things)}`
    case 1:
      return `${random.oneOf(activities)} the ${random.oneOf(things)}`
    default:
      return `${random.oneOf(things)} of the ${random.oneOf(qualities)} ${random.oneOf(things)}`
  }
}

export function trackTitle(random: Random): string {
  switch (random.below(4)) {
    case 0:
      return random.oneOf(things)
    case 1:
      return `${random.oneOf(activities)} ${random.oneOf(things)}s`
    case 2:
      return `${random.oneOf(qualities)} ${random.oneOf(things)}`
    default:
      return `${random.oneOf(activities)} in the ${random.oneOf(qualities)} ${random.oneOf(things)}`
  }
}

export function personName(random: Random): string {
  return `${random.oneOf(firstNames)} ${random.oneOf(lastNames)}`
}

export function playlistTitle(random: Random): string {
  return `${random.oneOf(moods)} ${random.oneOf(things)}`
}

export function labelName(random: Random): string {
  return `${random.oneOf(labels)} Records`
}

function words(...lines: readonly string[]): [string, ...string[]] {
  return lines.join(' ').split(' ') as [string, ...string[]]
}
