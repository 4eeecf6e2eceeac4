package com.harbourmutual.claims.mapper;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

@Mapper
public interface PolicyMapper {

    @Select("SELECT id, number, product, premium FROM policy WHERE number = #{number}")
    Map<String, Object> findByNumber(@Param("number") String number);

    @Insert("INSERT INTO policy (customer_id, number, product, premium, starts_on) "
            + "VALUES (#{customerId}, #{number}, #{product}, #{premium}, #{startsOn})")
    int insert(Map<String, Object> policy);

    /** One row per coverage; policies from before 2008 have none and count as BASIC. */
    @Select({
        "SELECT p.number,",
        "       CASE WHEN p.coverages <> '{}' THEN unnest(p.coverages) ELSE 'BASIC' END AS coverage",
        "  FROM policy p",
        " WHERE p.customer_id = #{customerId}"
    })
    List<Map<String, Object>> coverages(@Param("customerId") long customerId);

    @Select({
        "SELECT u.coverage, count(*) AS policies",
        "  FROM policy p, unnest(p.coverages) AS u(coverage)",
        " GROUP BY u.coverage",
        " ORDER BY 2 DESC"
    })
    List<Map<String, Object>> coverageCounts();

    @Select("SELECT p.number, unnest(p.coverages) AS coverage FROM policy p WHERE p.product = #{product}")
    List<Map<String, Object>> coveragesOfProduct(@Param("product") String product);

    @Update("UPDATE policy SET ends_on = #{endsOn} WHERE id = #{id} AND ends_on IS NULL")
    int cancel(Map<String, Object> cancellation);

    @Select("SELECT increment_by FROM premium_schedule WHERE product = #{product}")
    BigDecimal yearlyIncrement(@Param("product") String product);

    @Select("SELECT adsrc, count(*) AS customers FROM customer GROUP BY adsrc")
    List<Map<String, Object>> customersByCampaign();
}
