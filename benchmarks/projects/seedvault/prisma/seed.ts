import { prisma } from '../src/db/prisma.js'

const glossary: Record<string, string> = {
  accession: 'A sample of seeds that was collected at one place on one day',
  viability: 'The share of sown seeds that germinate; total_time is the duration of the test in hours',
  normalize: 'normalize(name) removes the sign of hybrids before names are compared',
}

async function main() {
  await prisma.account.upsert({
    where: { email: 'import@seedvault.example' },
    update: {},
    create: { email: 'import@seedvault.example', institute: 'Seedvault', systemUser: true },
  })

  await prisma.taxon.createMany({
    data: [
      { scientificName: 'Gentiana lutea', commonName: 'Great yellow gentian', family: 'Gentianaceae', tags: ['alpine'] },
      { scientificName: 'Drosera × obovata', commonName: 'Hybrid  sundew', family: 'Droseraceae', tags: ['bog'] },
    ],
    skipDuplicates: true,
  })

  for (const [term, text] of Object.entries(glossary)) {
    process.stdout.write(`${term}: ${text}\n`)
  }
}

main().finally(() => prisma.$disconnect())
