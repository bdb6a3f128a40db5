import type { Random } from './random.ts';

/** Somebody who visits the website. */
export interface Person {
  readonly firstName: string;
  readonly name: string;
  readonly email: string;
}

const firstNames = [
  'Aisling',
  'Amara',
  'Ana',
  'Andrzej',
  'Aoife',
  'Astrid',
  'Beatriz',
  'Björn',
  'Camille',
  'Chiara',
  'Daniel',
  'Diego',
  'Elif',
  'Emma',
  'Erik',
  'Fatima',
  'Felix',
  'Freya',
  'Gabriel',
  'Hannah',
  'Hugo',
  'Ines',
  'Ivan',
  'Jakub',
  'Jana',
  'Joanna',
  'Jonas',
  'Kaito',
  'Karim',
  'Lars',
  'Léa',
  'Liam',
  'Lucía',
  'Magda',
  'Mateo',
  'Mei',
  'Mia',
  'Milan',
  'Nadia',
  'Niamh',
  'Noah',
  'Nuno',
  'Olga',
  'Oscar',
  'Paula',
  'Priya',
  'Rachel',
  'Rafael',
  'Sara',
  'Sean',
  'Sofie',
  'Tariq',
  'Theo',
  'Tomás',
  'Ulrike',
  'Victor',
  'Wanjiru',
  'Yasmin',
  'Zoë',
  'Zuzana',
] as const;

const lastNames = [
  'Ahmed',
  'Almeida',
  'Andersen',
  'Baker',
  'Becker',
  'Bianchi',
  'Brennan',
  'Byrne',
  'Carvalho',
  'Chen',
  'Costa',
  'Dahl',
  'Demir',
  'Dubois',
  'Eriksen',
  'Evans',
  'Fernández',
  'Fischer',
  'García',
  'Gruber',
  'Haddad',
  'Hansen',
  'Horváth',
  'Hughes',
  'Ivanova',
  'Jensen',
  'Kamau',
  'Keller',
  'Kelly',
  'Kowalska',
  'Lambert',
  'Larsen',
  'Lindqvist',
  'López',
  'Martin',
  'Mori',
  'Müller',
  'Murphy',
  'Nguyen',
  'Novák',
  'O’Brien',
  'Okafor',
  'Olsen',
  'Pereira',
  'Petit',
  'Quinn',
  'Ricci',
  'Rossi',
  'Santos',
  'Sato',
  'Schmid',
  'Sharma',
  'Silva',
  'Svensson',
  'Tanaka',
  'Walsh',
  'Weber',
  'Wójcik',
  'Yilmaz',
  'Zieliński',
] as const;

const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example.com'] as const;

/** The team that answers. */
export const agents = ['Ruth', 'Sam', 'Joan', 'Omar', 'Lena'] as const;

/** What somebody of the team signs in with. */
export function mailboxOf(agent: string): string {
  return `${agent.toLowerCase()}@example.com`;
}

/** Makes up somebody. Addresses are of domains that nobody can own. */
export function makePerson(random: Random): Person {
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  const number = random.chance(0.4) ? String(random.whole(1, 99)) : '';
  const mailbox = random.pick([
    `${firstName}.${lastName}`,
    `${firstName.charAt(0)}.${lastName}`,
    `${firstName}${lastName.charAt(0)}`,
  ]);
  return {
    firstName,
    name: `${firstName} ${lastName}`,
    email: `${plain(mailbox)}${number}@${random.pick(mailHosts)}`,
  };
}

const withoutParts: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', '’': '' };

/** A text as it may stand in any e-mail address. */
function plain(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[łø’]/g, (letter) => withoutParts[letter] ?? letter);
  return letters.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
