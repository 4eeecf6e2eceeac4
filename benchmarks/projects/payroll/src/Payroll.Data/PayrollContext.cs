using Microsoft.EntityFrameworkCore;

namespace Payroll.Data;

public class PayrollContext : DbContext
{
    public PayrollContext(DbContextOptions<PayrollContext> options) : base(options)
    {
    }

    public DbSet<Employee> Employees => Set<Employee>();

    public DbSet<PaySlip> PaySlips => Set<PaySlip>();

    public IQueryable<PaySlip> PaySlipsOf(int year) =>
        PaySlips.FromSqlInterpolated(
            $"SELECT * FROM pay_slips WHERE EXTRACT(YEAR FROM period_start)::int = {year}");

    public IQueryable<Employee> SeniorStaff() =>
        Employees.FromSqlRaw(
            "SELECT * FROM employees WHERE grade >= 7" +
            "AND hired_on < current_date - interval '5 years'");

    public IQueryable<Employee> JuniorStaff() =>
        Employees.FromSqlRaw(
            "SELECT * FROM employees WHERE grade < 3 " +
            "AND hired_on > current_date - interval '2 years'");
}

public class Employee
{
    public int Id { get; set; }
    public string FullName { get; set; } = "";
}

public class PaySlip
{
    public long Id { get; set; }
    public decimal Gross { get; set; }
}
